/**
 * Decisions of people about a run: approve, reject, cancel, retry. An approval takes another person than the owner of the
 * workflow and whoever began the run. Tested in approvals.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { cancelWait } from '../../../kernel/schedules/waits.ts'
import { isPerson, needOtherPerson } from '../../../kernel/second-person/people.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import type { StepInputs } from './declared/definition.ts'
import { approvalDecided } from './declared/events.ts'
import type { PatchRun, Run, RunStepRow } from './declared/schema.ts'
import { faultOf, type Opened, openRun, patchRun, patchStep } from './journal.ts'
import { askToGoOn } from './run-job.ts'
import { runView } from './view.ts'

export interface Deciding {
  readonly actor: Actor
  readonly workflowId: string
  readonly runId: string
  readonly input: PatchRun
  readonly precondition: Precondition
}

/** @throws API-001, API-012, API-013, PLAT-015, PLAT-016, PLAT-017 */
export async function decideRun(services: PlatformServices, tx: Tx, deciding: Deciding): Promise<Run> {
  const { kernel } = services
  const { workflowId, runId, input, precondition } = deciding
  const opened = await openRun(tx, runId)
  if (opened === null || opened.run.workflow_id !== workflowId) throw apiErrors.notFound({ what: 'run' })
  precondition.expectVersion(opened.run.version)
  const { action } = input
  if (action === 'cancel') await cancel(services, tx, opened)
  else if (action === 'retry') await retry(services, tx, opened)
  else await decide(services, tx, { ...deciding, opened })
  await tx.audit('platform.run.update', {
    target: `platform_run:${runId}`,
    before: { status: opened.run.status },
    after: { action, step_id: input.step_id ?? null },
    ...(input.comment === undefined ? {} : { reason: input.comment }),
  })
  // A decision is a change of the run, whatever it changes.
  await patchRun(tx, kernel, opened.run, {})
  const after = await openRun(tx, runId)
  return runView(after?.run ?? opened.run, [...(after?.steps.values() ?? [])])
}

const isOpen = ({ run }: Opened): boolean => ['queued', 'running', 'waiting'].includes(run.status)

async function cancel({ kernel }: PlatformServices, tx: Tx, opened: Opened): Promise<void> {
  const { run, steps } = opened
  if (!isOpen(opened)) throw errors.illegalAction({ action: 'cancel', status: run.status })
  const at = kernel.clock.iso()
  for (const row of steps.values()) {
    if (row.status === 'waiting') await cancelWait(tx, { owner: 'platform', key: `${run.id}/${row.step_id}` })
    if (['pending', 'waiting', 'running'].includes(row.status))
      await patchStep(tx, row, { status: 'skipped', ended_at: at, waiting_until: null })
  }
  await patchRun(tx, kernel, run, { status: 'cancelled', ended_at: at, lease_job: null, lease_until: null })
}

/** From the failed step on: what has succeeded stays. */
async function retry({ kernel }: PlatformServices, tx: Tx, { run, steps }: Opened): Promise<void> {
  if (run.status !== 'failed' || run.dry_run) throw errors.illegalAction({ action: 'retry', status: run.status })
  for (const row of steps.values())
    if (row.status === 'failed' || row.status === 'skipped')
      await patchStep(tx, row, {
        ...{ status: 'pending', attempts: 0, error: null, decisions: [], started_at: null, ended_at: null },
        ...{ waiting_until: null },
      })
  await patchRun(tx, kernel, run, { status: 'running', ended_at: null })
  await askToGoOn(tx, run.id)
}

type Decided = Deciding & { readonly opened: Opened }

async function decide(services: PlatformServices, tx: Tx, { actor, input, opened }: Decided): Promise<void> {
  const { kernel } = services
  const { run } = opened
  if (!isOpen(opened)) throw errors.illegalAction({ action: input.action, status: run.status })
  const row = waitingStep(opened, input.step_id)
  const { approvers, quorum = 1 } = stepInput(opened, row)
  await needApprover(services, tx, { actor, opened, row, approvers })
  if (row.decisions.some((one) => one.user_id === actor.userId)) throw errors.alreadyDecided()
  const decision = input.action === 'approve' ? ('approved' as const) : ('rejected' as const)
  const at = kernel.clock.iso()
  const decisions = [...row.decisions, { user_id: actor.userId, decision, comment: input.comment ?? null, at }]
  const isFinal = decision === 'rejected' || decisions.length >= quorum
  await patchStep(tx, row, { decisions, ...(isFinal ? ended(decision, decisions, at) : {}) })
  await tx.emit(approvalDecided, run.id, {
    ...{ workflow_id: run.workflow_id, workflow_key: opened.key, run_id: run.id, step_id: row.step_id },
    ...{ decision, decided_by: actor.userId, is_final: isFinal },
  })
  if (!isFinal) return
  await cancelWait(tx, { owner: 'platform', key: `${run.id}/${row.step_id}` })
  await askToGoOn(tx, run.id)
}

function ended(decision: 'approved' | 'rejected', decisions: RunStepRow['decisions'], at: string): Partial<RunStepRow> {
  const common = { ended_at: at, waiting_until: null }
  if (decision === 'approved')
    return { ...common, status: 'succeeded', output: { approved_by: decisions.map(({ user_id: id }) => id) } }
  return { ...common, status: 'failed', error: faultOf('REJECTED', 'The approval was rejected.') }
}

/** @throws PLAT-015 where it was decided, PLAT-016 where nothing of this name waits for people */
function waitingStep({ run, steps }: Opened, id: string | undefined): RunStepRow {
  const approvals = [...steps.values()].filter(({ type }) => type === 'approve')
  const row =
    id === undefined
      ? approvals.find(({ status }) => status === 'waiting')
      : approvals.find((one) => one.step_id === id)
  if (row?.status === 'waiting') return row
  if (row !== undefined && row.decisions.length > 0) throw errors.alreadyDecided()
  throw errors.illegalAction({ action: 'decision', status: run.status })
}

function stepInput({ version }: Opened, { step_id: id }: RunStepRow): StepInputs['approve'] {
  const step = version.definition.steps.find((one) => one.id === id)
  return (step?.with ?? { title: '', approvers: {} }) as StepInputs['approve']
}

interface Approving {
  readonly actor: Actor
  readonly opened: Opened
  readonly row: RunStepRow
  readonly approvers: StepInputs['approve']['approvers']
}

/** @throws PLAT-017 */
async function needApprover({ iam }: PlatformServices, tx: Tx, asked: Approving): Promise<void> {
  const { actor, opened, row, approvers } = asked
  const { run } = opened
  const refuse = (what: string) => errors.notApprover({ what })
  if (!isPerson(actor)) throw refuse('Approvals are given by people.')
  const { user_ids: userIds = [], roles = [] } = approvers
  const people = await iam.recipients(tx, { userIds, roles })
  if (!people.some(({ id }) => id === actor.userId)) throw refuse('You are none of the approvers of this step.')
  const atMs = Date.parse(row.started_at ?? run.created_at)
  for (const by of [run.owner_id, ...(run.requested_by === null ? [] : [run.requested_by])])
    needOtherPerson({ by, atMs }, actor, () =>
      refuse('Another person decides than the owner of the workflow and whoever began the run.'),
    )
}
