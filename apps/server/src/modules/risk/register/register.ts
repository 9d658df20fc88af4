/**
 * The risk register: how risks are made, found and changed. Risks are never deleted. Tested in register.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { create, hold, newRow } from '../../../kernel/resource/resource.ts'
import type { RepeatableCall } from '../../../kernel/second-person/call.ts'
import { errors } from '../errors/errors.ts'
import { type Appetite, isOrdered } from '../scoring/appetite.ts'
import { applyChange, type RiskChanges, riskResource, tell } from './apply-change.ts'
import { krisOf } from './kris.ts'
import { judged, unjudged } from './levels.ts'
import { firstMeasurement } from './measure.ts'
import { moveOf } from './move.ts'
import { noLinks } from './parts.ts'
import { nextNumber } from './reference.ts'
import { refuseUnknownOwners } from './references.ts'
import type { RiskServices } from './register-parts.ts'
import { rescored } from './rescore.ts'
import type { CreateRisk, ListedRisk, PatchRisk, Risk, RiskFilter, RiskRow } from './schema.ts'
import { appetiteOf } from './settings.ts'
import { risks } from './tables.ts'
import { nextDeadline, treatmentOf } from './treatment.ts'
import { listedRisk, riskView } from './view.ts'

const dayMs = 86_400_000
const defaultReviewDays = 180

export interface Creation {
  readonly actor: Actor
  readonly input: CreateRisk
}

/** @throws RISK-001, RISK-002, API-001 */
export async function createRisk(services: RiskServices, tx: Tx, { actor, input }: Creation): Promise<Versioned<Risk>> {
  const { kernel } = services
  refuseDisordered(input.appetite)
  await refuseUnknownOwners(services, tx, input)
  const row = newRisk(services, tx, input)
  const numbered = { ...row, number: await nextNumber(tx) }
  await create(tx, riskResource, numbered, { action: 'risk.register.create' })
  await tell(kernel, tx, { before: null, row: numbered, asked: { cause: 'qualitative', by: actor.userId } })
  return new Versioned(riskView(kernel, tx.tenantId, numbered), numbered.version)
}

function newRisk({ kernel }: RiskServices, tx: Tx, input: CreateRisk): Omit<RiskRow, 'number'> {
  const stamps = newRow(kernel, tx)
  const { appetite = null, treatment = null, residual = null, target = null } = input
  const days = input.review_interval_days ?? defaultReviewDays
  const levels = {
    inherent: judged(null, input.inherent),
    residual: residual === null ? null : judged(null, residual),
    target: target === null ? null : judged(null, target),
  }
  const stored = treatment === null ? null : treatmentOf(kernel.random, null, treatment)
  return {
    ...stamps,
    title: input.title,
    description: input.description ?? null,
    category: input.category,
    cause: input.cause ?? null,
    event: input.event ?? null,
    consequence: input.consequence ?? null,
    owner_id: input.owner_id,
    ...rescored(levels, appetiteOf(kernel, tx.tenantId, { category: input.category, appetite })),
    appetite,
    treatment: stored,
    acceptance: null,
    kris: krisOf(kernel, [], input.kris ?? []),
    links: { ...noLinks, ...input.links },
    review_interval_days: days,
    reviewed_at: stamps.created_at,
    review_due_at: laterBy(stamps.created_at, days),
    acceptance_until: null,
    next_deadline_at: nextDeadline(stored),
    measured_at: firstMeasurement(kernel, input.kris ?? [], null),
    status: 'draft',
  }
}

const laterBy = (from: string, days: number): string => new Date(Date.parse(from) + days * dayMs).toISOString()

function refuseDisordered(appetite: Appetite | null | undefined): void {
  if (appetite === undefined || appetite === null || isOrdered(appetite)) return
  const error = errors.appetiteOrder()
  throw error.at([{ detail: error.message, pointer: '/appetite' }])
}

export interface List {
  readonly page: PageRequest
  readonly filter: RiskFilter
  /** ISO time that reviews are due by. */
  readonly now: string
}

export async function listRisks(tx: Tx, { page, filter, now }: List): Promise<Page<Versioned<ListedRisk>>> {
  const { q, review_due: due } = filter
  const where: SqlPart[] = [
    ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
    ...(filter.category === undefined ? [] : [sql`category = ${filter.category}`]),
    ...(filter.owner_id === undefined ? [] : [sql`owner_id = ${filter.owner_id}`]),
    ...(filter.rating === undefined ? [] : [sql`rating = ${filter.rating}`]),
    ...(filter.above_tolerance === undefined ? [] : [sql`above_tolerance = ${filter.above_tolerance}`]),
    ...(due === undefined ? [] : [sql`(review_due_at <= ${now}) = ${due}`]),
    ...(q === undefined ? [] : [namedBy(q)]),
  ]
  const found = await risks.page(tx, page, where.length === 0 ? sql`true` : join(where, ' and '))
  return { ...found, items: found.items.map(listedRisk) }
}

/** The reference, or any word of the title, begins with it. */
function namedBy(q: string): SqlPart {
  const prefix = likePrefix(q)
  return sql`(lower('r-' || lpad(number::text, greatest(4, length(number::text)), '0')) like ${prefix}
    or lower(title) like ${prefix} or lower(title) like ${`% ${prefix}`})`
}

export interface Change {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
  readonly input: PatchRisk
  readonly call: RepeatableCall
}

/** @throws API-013, API-012, API-001, RISK-001, RISK-002, RISK-003, RISK-004, RISK-011, AUTH-004 */
export async function changeRisk(
  services: RiskServices,
  tx: Tx,
  { actor, input, call, ...asked }: Change,
): Promise<Versioned<Risk>> {
  const { kernel } = services
  const held = await hold(tx, riskResource, asked)
  refuseDisordered(input.appetite)
  await refuseUnknownOwners(services, tx, input)
  const changes = changesOf(services, held.row, input)
  const changed = { ...held.row, ...changes }
  const scored = { ...changed, ...rescored(changed, appetiteOf(kernel, tx.tenantId, changed)) }
  const move = await moveOf(kernel, tx, { actor, row: scored, input, call })
  const row = await applyChange(kernel, tx, held, {
    action: 'risk.register.update',
    changes: { ...changes, ...move },
    cause: input.kris === undefined ? 'qualitative' : 'kri',
    reason: input.reason,
    by: actor.userId,
  })
  return new Versioned(riskView(kernel, tx.tenantId, row), row.version)
}

/** The columns that a body changes, without its move. */
function changesOf({ kernel }: RiskServices, row: RiskRow, input: PatchRisk): RiskChanges {
  const { inherent, residual, target, treatment, kris, links, reviewed } = input
  const days = input.review_interval_days ?? row.review_interval_days
  const reviewedAt = reviewed === true ? kernel.clock.iso() : row.reviewed_at
  const plain = Object.fromEntries(
    (['title', 'category', 'owner_id', 'description', 'cause', 'event', 'consequence', 'appetite'] as const).flatMap(
      (name) => (input[name] === undefined ? [] : [[name, input[name]]]),
    ),
  )
  return {
    ...plain,
    ...(inherent === undefined ? {} : { inherent: judged(row.inherent, inherent) }),
    ...(residual === undefined
      ? {}
      : { residual: residual === null ? unjudged(row.residual) : judged(row.residual, residual) }),
    ...(target === undefined ? {} : { target: target === null ? unjudged(row.target) : judged(row.target, target) }),
    ...(treatment === undefined
      ? {}
      : { treatment: treatment === null ? null : treatmentOf(kernel.random, row.treatment, treatment) }),
    ...(kris === undefined
      ? {}
      : { kris: krisOf(kernel, row.kris, kris), measured_at: firstMeasurement(kernel, kris, row.measured_at) }),
    ...(links === undefined ? {} : { links: { ...row.links, ...links } }),
    review_interval_days: days,
    reviewed_at: reviewedAt,
    review_due_at: laterBy(reviewedAt, days),
  }
}
