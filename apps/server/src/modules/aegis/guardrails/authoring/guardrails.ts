/** Guardrails: list, read, create, change, remove. Tested in guardrails.test.ts. */
import type { Actor } from '../../../../kernel/access/actor.ts'
import { likePrefix } from '../../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { join, json, type SqlPart, sql } from '../../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../../kernel/db/table.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Versioned } from '../../../../kernel/module/route.ts'
import { type Changes, change, create, hold, newRow, remove } from '../../../../kernel/resource/resource.ts'
import { errors } from '../../errors/errors.ts'
import type {
  CreateGuardrail,
  Definition,
  Guardrail,
  GuardrailFilter,
  GuardrailRow,
  PatchGuardrail,
} from '../declared/schema.ts'
import { guardrailResource, guardrails, guardrailVersions } from '../declared/tables.ts'
import { checkDefinition, definitionOf, invalid, patchedDefinition } from './definition.ts'
import { differences, shownVersions, versionedGuardrail, versionOf, versionsOf } from './view.ts'

export async function listGuardrails(
  tx: Tx,
  page: PageRequest,
  filter: GuardrailFilter,
): Promise<Page<Versioned<Guardrail>>> {
  const found = await guardrails.page(tx, page, join([sql`true`, ...conditions(filter)], ' and '))
  return { ...found, items: found.items.map((row) => versionedGuardrail(row)) }
}

function conditions({ kind, status, tag, agent_id: agent, server, q }: GuardrailFilter): readonly SqlPart[] {
  const prefix = likePrefix(q ?? '')
  return [
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(tag === undefined ? [] : [sql`${tag} = any(tags)`]),
    ...(agent === undefined ? [] : [sql`target @> ${json({ agent_ids: [agent] })}::jsonb`]),
    ...(server === undefined ? [] : [sql`target @> ${json({ server_slugs: [server] })}::jsonb`]),
    ...(q === undefined
      ? []
      : [sql`(slug like ${prefix} or lower(name) like ${prefix} or lower(name) like ${`% ${prefix}`})`]),
  ]
}

export interface Reading {
  readonly id: string
  readonly include: readonly string[]
  /** Shows this version in the place of the newest. */
  readonly number: number | undefined
}

/** @throws API-013 */
export async function readGuardrail(tx: Tx, { id, include, number }: Reading): Promise<Versioned<Guardrail>> {
  const row = await guardrails.need(tx, id)
  const wanted = number === undefined ? null : await versionOf(tx, id, number)
  if (number !== undefined && wanted === null) throw apiErrors.notFound({ what: 'version of the guardrail' })
  const live = include.includes('diff') && row.live_version !== null ? await versionOf(tx, id, row.live_version) : null
  return versionedGuardrail(wanted === null ? row : { ...row, ...wanted.definition }, {
    ...(include.includes('versions') ? { versions: shownVersions(await versionsOf(tx, id)) } : {}),
    ...(include.includes('diff') ? { diff: differences(row, live) } : {}),
  })
}

export interface Authoring {
  readonly kernel: Pick<Kernel, 'clock' | 'random'>
  readonly actor: Actor
}

/** Stores a draft with its first version. @throws API-001, AEGIS-003, AEGIS-004, AEGIS-006, AEGIS-017 */
export async function createGuardrail(
  { kernel, actor }: Authoring,
  tx: Tx,
  input: CreateGuardrail,
): Promise<Versioned<Guardrail>> {
  const definition = definitionOf(input)
  const { analysis } = checkDefinition(input.kind, definition)
  await refuseUnknownAgents(tx, definition)
  const row: GuardrailRow = {
    ...newRow(kernel, tx),
    ...{ name: input.name, slug: input.slug ?? slugOf(input.name), description: input.description ?? null },
    ...{ kind: input.kind, priority: input.priority ?? 100, status: 'draft' },
    ...{ latest_version: 1, live_version: null, base_version: null, rollout_percent: 0, rolled_out_at: null },
    ...{ auto_rollback: null, ...definition },
  }
  await create(tx, guardrailResource, row, { action: 'aegis.guardrail.create' })
  await addVersion({ kernel, actor }, tx, { guardrailId: row.id, number: 1, definition })
  return versionedGuardrail(row, { analysis })
}

/** A guardrail for an agent that does not exist would only look like protection. @throws API-001 */
async function refuseUnknownAgents(tx: Tx, { target: { agent_ids: ids = [] } }: Definition): Promise<void> {
  if (ids.length === 0) return
  const known = await tx.query(sql<{ id: string }>`select id from aegis_agent where id = any(${ids}::uuid[])`)
  const found = new Set(known.map(({ id }) => id))
  const missing = ids.findIndex((id) => !found.has(id))
  if (missing !== -1) throw invalid(`There is no agent ${ids[missing]}.`, `/target/agent_ids/${missing}`)
}

/** @throws API-001 for a name without a letter or digit of ASCII */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '')
  if (slug === '') throw invalid('No slug can be made of this name. Give one.', '/slug')
  return slug
}

interface NewVersion {
  readonly guardrailId: string
  readonly number: number
  readonly definition: Definition
}

function addVersion(
  { kernel, actor }: Authoring,
  tx: Tx,
  { guardrailId, number, definition }: NewVersion,
): Promise<void> {
  return guardrailVersions.insert(tx, {
    ...{ tenant_id: tx.tenantId, id: kernel.random.uuid(), guardrail_id: guardrailId, number, definition },
    ...{ created_by: actor.userId, created_at: kernel.clock.iso() },
  })
}

export interface Change {
  readonly id: string
  readonly precondition: Precondition
  readonly input: PatchGuardrail
}

/**
 * Changes a guardrail. A change of its definition makes a new version, which runs when it is rolled out.
 * @throws API-001, API-012, API-013, AEGIS-002, AEGIS-004, AEGIS-006, AEGIS-017
 */
export async function changeGuardrail(
  authoring: Authoring,
  tx: Tx,
  { input, ...wanted }: Change,
): Promise<Versioned<Guardrail>> {
  const held = await hold(tx, guardrailResource, wanted)
  const { row } = held
  if (row.status === 'archived') throw errors.illegalMove({ what: 'guardrail', status: 'archived' })
  if (input.name === null) throw invalid('A guardrail cannot be without a name.', '/name')
  const definition = patchedDefinition(row, input)
  const analysis = definition === null ? null : checkDefinition(row.kind, definition).analysis
  if (definition !== null) await refuseUnknownAgents(tx, definition)
  const changes: Changes<GuardrailRow> = {
    ...{ name: input.name, description: input.description },
    ...(input.priority === undefined ? {} : { priority: input.priority ?? 100 }),
    ...(definition === null ? {} : { ...definition, latest_version: row.latest_version + 1 }),
  }
  const after = await change(authoring.kernel, tx, held, { action: 'aegis.guardrail.update', changes })
  if (definition !== null)
    await addVersion(authoring, tx, { guardrailId: row.id, number: after.latest_version, definition })
  return versionedGuardrail(after, analysis === null ? {} : { analysis })
}

/** Deletes a draft that never ran; archives every other one. @throws API-012, API-013, AEGIS-002, AEGIS-014 */
export async function removeGuardrail(
  { kernel }: Pick<Authoring, 'kernel'>,
  tx: Tx,
  wanted: Pick<Change, 'id' | 'precondition'>,
): Promise<{ readonly id: string; readonly deleted: boolean }> {
  const held = await hold(tx, guardrailResource, wanted)
  const { row } = held
  const action = 'aegis.guardrail.delete'
  if (row.status === 'archived') throw errors.illegalMove({ what: 'guardrail', status: 'archived' })
  if (row.status === 'enforce' || (row.status === 'monitor' && row.base_version !== null))
    throw errors.inUse({ what: 'The guardrail is enforced. Disable it before you archive it.' })
  if (row.status === 'draft') return remove(tx, held, { action })
  await change(kernel, tx, held, { action, changes: { status: 'archived', rollout_percent: 0, base_version: null } })
  return { id: row.id, deleted: false }
}
