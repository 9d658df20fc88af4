/**
 * Changes of an assessment: results while it is in progress, scope while it is a draft, and the moves between its states.
 * The approver is another person than the assessors and those who uploaded the evidence relied on. A completed one never
 * changes. Tested in assessments.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Versioned } from '../../../kernel/module/route.ts'
import { change, type Held, hold } from '../../../kernel/resource/resource.ts'
import { needOtherPerson } from '../../../kernel/second-person/people.ts'
import { classify } from '../ai-act/classify.ts'
import { errors } from '../errors/errors.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'
import { refuseNotAdopted, viewOf } from './assessments.ts'
import { complete } from './complete.ts'
import { refuseUnknownUsers } from './people.ts'
import { assessmentResource } from './resource.ts'
import { resultsFromChecks, setResults } from './results.ts'
import type { Assessment, AssessmentRow, PatchAssessment } from './schema.ts'
import { type Action, isFinal, moveOf } from './states.ts'

export interface AssessmentChange {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
  readonly input: PatchAssessment
}

const action = 'compliance.assessment.update'

/** @throws API-001, API-012, API-013, COMP-004, COMP-007 to COMP-010, COMP-020 */
export async function changeAssessment(
  services: ComplianceServices,
  tx: Tx,
  { actor, input, ...asked }: AssessmentChange,
): Promise<Versioned<Assessment>> {
  const held = await hold(tx, assessmentResource, asked)
  const { status } = held.row
  if (isFinal(status)) throw errors.assessmentFinal({ status })
  const row = await changed(services, tx, held, input)
  if (input.results !== undefined) await setResults(services.kernel, tx, inProgress(row), input.results)
  if (input.action === undefined) return viewOf(tx, row)
  return viewOf(tx, await move(services, tx, { actor, input, asked: input.action, id: row.id }))
}

/** @throws COMP-007 */
function inProgress(row: AssessmentRow): AssessmentRow {
  if (row.status === 'in_progress') return row
  throw errors.illegalMove({ what: `Results are set while an assessment is in progress; this one is ${row.status}.` })
}

const scoped = ['framework_ids', 'scope'] as const
const plain = ['name', 'assessor_ids', 'approver_id', 'due_at'] as const

async function changed(
  services: ComplianceServices,
  tx: Tx,
  held: Held<AssessmentRow>,
  input: PatchAssessment,
): Promise<AssessmentRow> {
  const { row } = held
  if (input.framework_ids !== undefined) await refuseNotAdopted(tx, input.framework_ids)
  if (scoped.some((name) => input[name] !== undefined) && row.status !== 'draft')
    throw errors.illegalMove({ what: `The scope changes while an assessment is a draft; this one is ${row.status}.` })
  if (row.status === 'in_review' && [...plain, 'answers' as const].some((name) => input[name] !== undefined))
    throw errors.illegalMove({ what: 'An assessment in review does not change. Return it first.' })
  await refuseUnknownUsers(services, tx, [
    ...(input.assessor_ids ?? []),
    ...(input.approver_id === undefined ? [] : [input.approver_id]),
  ])
  const given = Object.fromEntries(
    [...scoped, ...plain].flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
  )
  const changes = { ...given, ...answersOf(services, row, input) }
  if (Object.keys(changes).length === 0 && input.results === undefined) return row
  return change(services.kernel, tx, held, { action, changes })
}

function answersOf({ kernel }: ComplianceServices, row: AssessmentRow, { answers }: PatchAssessment) {
  if (answers === undefined) return {}
  if (row.type !== 'ai_act_classification')
    throw errors.answersInvalid({ what: 'Only a classification under the EU AI Act has answers.' })
  return { answers, classification: classify({ answers, timetable: row.timetable, at: kernel.clock.iso() }) }
}

interface Move {
  readonly actor: Actor
  readonly input: PatchAssessment
  readonly asked: Action
  readonly id: string
}

async function move(services: ComplianceServices, tx: Tx, { actor, input, asked, id }: Move): Promise<AssessmentRow> {
  const { kernel } = services
  const held = await hold(tx, assessmentResource, { id, precondition: anyVersion })
  const { row } = held
  const to = moveOf(row.status, asked)
  if (to === null)
    throw errors.illegalMove({ what: `An assessment that is ${row.status} cannot ${asked.replace('_', ' ')}.` })
  if ((asked === 'return' || asked === 'cancel') && input.reason === undefined)
    throw apiErrors
      .validation({ what: 'This action needs a reason.' })
      .at([{ detail: 'This is required here.', pointer: '/reason' }])
  if (asked === 'run_checks') {
    await resultsFromChecks(kernel, tx, row)
    return change(kernel, tx, held, { action, changes: {}, after: () => ({ action: asked }) })
  }
  if (asked === 'submit') await refuseIncomplete(tx, row)
  if (asked === 'approve' || asked === 'return') await refuseInvolved(tx, row, actor)
  if (asked === 'approve') return approve(services, tx, held, actor)
  return change(kernel, tx, held, {
    action,
    changes: {
      status: to,
      reason: input.reason ?? null,
      ...(asked === 'submit' ? { submitted_by: actor.userId, submitted_at: kernel.clock.iso() } : {}),
    },
  })
}

async function approve(
  { kernel }: ComplianceServices,
  tx: Tx,
  held: Held<AssessmentRow>,
  actor: Actor,
): Promise<AssessmentRow> {
  const row = await complete(kernel, tx, {
    held: { ...held, row: { ...held.row, approver_id: actor.userId } },
    actorId: actor.userId,
    action,
  })
  // The approver has read what the assessment relies on.
  await tx.execute(sql`
    update compliance_evidence set status = 'reviewed', reviewed_by = ${actor.userId}, reviewed_at = ${row.completed_at},
      version = version + 1
    where status = 'accepted' and kind in ('document', 'external_result') and id in (
      select unnest(evidence_ids) from compliance_result where assessment_id = ${row.id})`)
  return row
}

/** A classification is complete with no open question, an assessment of a framework with a result for each control. */
async function refuseIncomplete(tx: Tx, row: AssessmentRow): Promise<void> {
  if (row.type === 'ai_act_classification') {
    const open = row.classification?.open_questions ?? []
    if (row.classification === null || row.classification.tiers.includes('undetermined'))
      throw errors.incomplete({ what: `Questions are open that may raise the tier: ${open.slice(0, 10).join(', ')}.` })
    return
  }
  const missing = await tx.query(sql<{ ref: string; count: number }>`
    select control.ref, (count(*) over ())::int as count from compliance_control control
    where control.framework_id = any(${[...row.framework_ids]}::uuid[]) and not withdrawn and not needs_review and applicable
      and not exists (select from compliance_result own where own.assessment_id = ${row.id}
        and own.control_id = control.id and own.result <> 'not_assessed' and own.source <> 'suggestion')
    order by control.framework_id, control.position limit 10`)
  const [first] = missing
  if (first !== undefined)
    throw errors.incomplete({
      what: `${first.count} controls have no result: ${missing.map(({ ref }) => ref).join(', ')}${first.count > 10 ? ' and more' : ''}.`,
    })
}

/** @throws COMP-009 */
async function refuseInvolved(tx: Tx, row: AssessmentRow, actor: Actor): Promise<void> {
  const refusal = (what: string) => errors.secondPerson({ what })
  if (row.approver_id !== null && row.approver_id !== actor.userId)
    throw refusal('The assessment names another approver.')
  if (row.assessor_ids.includes(actor.userId)) throw refusal('An assessor does not approve the own assessment.')
  needOtherPerson(
    { by: row.submitted_by ?? row.created_by ?? actor.userId, atMs: Date.parse(row.submitted_at ?? row.created_at) },
    actor,
    () => refusal('Another person than the one who submitted the assessment approves it.'),
  )
  const own = await tx.first(sql`
    select held.id from compliance_evidence held
    where held.created_by = ${actor.userId} and held.id in (
      select unnest(evidence_ids) from compliance_result where assessment_id = ${row.id}) limit 1`)
  if (own !== null) throw refusal('Evidence that the assessment relies on was uploaded by its approver.')
}
