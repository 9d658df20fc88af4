/**
 * Assessments: made, listed and seen. Those of checks alone, and classifications with complete answers, are completed as
 * they are made. Tested in assessments.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { create, hold, newRow } from '../../../kernel/resource/resource.ts'
import { classify } from '../ai-act/classify.ts'
import { errors } from '../errors/errors.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'
import { agentDigest } from './agent-state.ts'
import { complete } from './complete.ts'
import { refuseUnknownUsers } from './people.ts'
import { assessmentResource } from './resource.ts'
import { resultsFromChecks, resultsOf, suggestResults } from './results.ts'
import type { Assessment, AssessmentFilter, AssessmentRow, ListedAssessment, NewAssessment } from './schema.ts'
import { assessments } from './tables.ts'

export interface AssessmentList {
  readonly page: PageRequest
  readonly filter: AssessmentFilter
}

export async function listAssessments(
  tx: Tx,
  { page, filter }: AssessmentList,
): Promise<Page<Versioned<Omit<ListedAssessment, 'etag'>>>> {
  const { q, type, status, framework_id: framework, agent_id: agent, completed_after: after, due_before: due } = filter
  const where = [
    sql`true`,
    ...(q === undefined ? [] : [sql`(lower(name) like ${likePrefix(q)} or lower(name) like ${`% ${likePrefix(q)}`})`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(framework === undefined ? [] : [sql`${framework}::uuid = any(framework_ids)`]),
    ...(agent === undefined ? [] : [sql`agent_id = ${agent}`]),
    ...(after === undefined ? [] : [sql`completed_at > ${after}`]),
    ...(due === undefined ? [] : [sql`due_at < ${due}`]),
  ]
  const found = await assessments.page(tx, page, join(where, ' and '))
  const progress = await progressOf(tx, found.items)
  return {
    ...found,
    items: found.items.map((row) => {
      const { version, answers: _answers, ...shown } = row
      return new Versioned({ ...shown, progress: progress.get(row.id) ?? { controls: 0, assessed: 0 } }, version)
    }),
  }
}

type Progress = Assessment['progress']

async function progressOf(tx: Tx, rows: readonly AssessmentRow[]): Promise<ReadonlyMap<string, Progress>> {
  const counted = await tx.query(sql<Progress & { id: string }>`
    select listed.id, (select count(*)::int from compliance_control control
        where control.framework_id = any(listed.framework_ids) and not withdrawn and not needs_review) as controls,
      (select count(*)::int from compliance_result own
        where own.assessment_id = listed.id and own.result <> 'not_assessed' and own.source <> 'suggestion') as assessed
    from compliance_assessment listed where listed.id = any(${rows.map(({ id }) => id)}::uuid[])`)
  return new Map(counted.map(({ id, ...progress }) => [id, progress]))
}

export interface Creation {
  readonly actor: Pick<Actor, 'userId'> | null
  readonly input: NewAssessment
}

/** @throws API-001, API-013, COMP-004, COMP-020 */
export async function createAssessment(
  services: ComplianceServices,
  tx: Tx,
  { actor, input }: Creation,
): Promise<Versioned<Assessment>> {
  const { kernel } = services
  await refuseUnknownUsers(services, tx, [
    ...(input.assessor_ids ?? []),
    ...(input.approver_id === undefined ? [] : [input.approver_id]),
  ])
  const row = await newAssessment(services, tx, { actor, input })
  if (input.dry_run === true) return viewOf(tx, row)
  await create(tx, assessmentResource, row, { action: 'compliance.assessment.create' })
  if (input.previous_id !== undefined) {
    await assessments.need(tx, input.previous_id)
    await suggestResults(kernel, tx, row, input.previous_id)
  }
  if (row.type === 'automated') await resultsFromChecks(kernel, tx, row)
  const isDone =
    row.type === 'automated' || (row.classification !== null && !row.classification.tiers.includes('undetermined'))
  if (!isDone) return viewOf(tx, row)
  const held = await hold(tx, assessmentResource, { id: row.id, precondition: anyVersion })
  return viewOf(
    tx,
    await complete(kernel, tx, { held, actorId: actor?.userId ?? null, action: 'compliance.assessment.create' }),
  )
}

async function newAssessment(services: ComplianceServices, tx: Tx, { actor, input }: Creation): Promise<AssessmentRow> {
  const { kernel } = services
  const stamps = newRow(kernel, tx)
  const isClassification = input.type === 'ai_act_classification'
  const timetable = input.timetable ?? '2026-amended'
  const answers = input.answers ?? {}
  if (isClassification && input.answers === undefined && input.dry_run !== true && input.agent_id === undefined)
    throw errors.answersInvalid({ what: 'A classification needs `answers`, or the agent that it is about.' })
  if (!isClassification) await refuseNotAdopted(tx, input.framework_ids ?? [])
  return {
    ...stamps,
    ...{ name: input.name, type: input.type, status: input.type === 'framework' ? 'draft' : 'in_progress' },
    framework_ids: isClassification ? [] : [...(input.framework_ids ?? [])],
    ...{ scope: input.scope ?? 'organization', agent_id: input.agent_id ?? null },
    agent_sha256: input.agent_id === undefined ? null : await agentDigest(services, tx, input.agent_id),
    ...{ period_start: input.period_start ?? null, period_end: input.period_end ?? null },
    ...{ assessor_ids: [...(input.assessor_ids ?? [])], approver_id: input.approver_id ?? null },
    ...{ created_by: actor?.userId ?? null, submitted_by: null, submitted_at: null, timetable, answers },
    classification: isClassification ? classify({ answers, timetable, at: stamps.created_at }) : null,
    ...{ scores: null, reason: null, previous_id: input.previous_id ?? null, snapshot_sha256: null, snapshot_id: null },
    ...{ due_at: input.due_at ?? null, completed_at: null },
  }
}

/** @throws API-001 without a framework, COMP-004 for one that is not adopted */
export async function refuseNotAdopted(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0)
    throw apiErrors
      .validation({ what: 'The assessment has no framework.' })
      .at([{ detail: 'This is required.', pointer: '/framework_ids' }])
  const rows = await tx.query(sql<{ id: string }>`
    select id from compliance_framework where id = any(${[...ids]}::uuid[]) and adoption = 'adopted'`)
  const adopted = new Set(rows.map(({ id }) => id))
  const index = ids.findIndex((id) => !adopted.has(id))
  if (index >= 0)
    throw errors
      .unresolved({ what: 'The assessment names a framework that is not adopted. Adopt it first.' })
      .at([{ detail: 'is not adopted', pointer: `/framework_ids/${index}` }])
}

export async function viewOf(
  tx: Tx,
  row: AssessmentRow,
  include: ReadonlySet<string> = new Set(),
): Promise<Versioned<Assessment>> {
  const { version, ...shown } = row
  const progress = (await progressOf(tx, [row])).get(row.id) ?? { controls: 0, assessed: 0 }
  return new Versioned(
    {
      ...shown,
      progress,
      ...(include.has('results') ? { results: [...(await resultsOf(tx, row.id))] } : {}),
      ...(include.has('soa') ? { soa: await applicabilityOf(tx, row) } : {}),
    },
    version,
  )
}

const applicabilityOf = async (tx: Tx, row: AssessmentRow): Promise<NonNullable<Assessment['soa']>> => [
  ...(await tx.query(sql<NonNullable<Assessment['soa']>[0]>`
    select control.ref, control.title, control.applicable, control.justification, control.implementation_status
    from compliance_control control join compliance_framework held on held.id = control.framework_id
    where held.soa and control.framework_id = any(${[...row.framework_ids]}::uuid[]) and control.ref like 'A.%'
    order by control.framework_id, control.position`)),
]
