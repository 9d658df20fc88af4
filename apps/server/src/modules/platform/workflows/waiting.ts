/**
 * Steps that wait: for people, or for a time. Both are rows, so that they outlive every process, and cost no worker. Tested
 * in approvals.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { armWait } from '../../../kernel/schedules/waits.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import type { Step, StepInputs } from './declared/definition.ts'
import { approvalRequested } from './declared/events.ts'
import type { RunStepRow } from './declared/schema.ts'
import { faultOf, type Opened, patchStep } from './journal.ts'
import { runJobKind } from './run-job.ts'

export interface Waiting {
  readonly opened: Opened
  readonly step: Step
  readonly row: RunStepRow
  readonly input: unknown
}

/** @throws PLAT-001 for an approval that nobody could give */
export async function beginWaiting(services: PlatformServices, tx: Tx, waiting: Waiting): Promise<void> {
  const { kernel } = services
  const { opened, step, row, input } = waiting
  const seconds =
    step.type === 'delay' ? (input as StepInputs['delay']).seconds : (input as StepInputs['approve']).expires_in_seconds
  const until = seconds === undefined ? null : kernel.clock.now() + seconds * 1_000
  const untilAt = until === null ? null : new Date(until).toISOString()
  await patchStep(tx, row, { status: 'waiting', waiting_until: untilAt })
  if (until !== null)
    await armWait(kernel, tx, {
      ...{ owner: 'platform', key: `${opened.run.id}/${step.id}`, kind: runJobKind },
      ...{ payload: { run_id: opened.run.id }, until },
    })
  if (step.type === 'approve') await askForApproval(services, tx, waiting, untilAt)
}

async function askForApproval(
  { iam }: PlatformServices,
  tx: Tx,
  { opened, step, input }: Waiting,
  expiresAt: string | null,
): Promise<void> {
  const { title, approvers, quorum = 1 } = input as StepInputs['approve']
  const { user_ids: userIds = [], roles = [] } = approvers
  const people = await iam.recipients(tx, { userIds, roles })
  const others = people.filter(({ id }) => id !== opened.run.owner_id && id !== opened.run.requested_by)
  if (others.length < quorum) throw errors.noRecipient()
  await tx.emit(approvalRequested, opened.run.id, {
    ...{ workflow_id: opened.run.workflow_id, workflow_key: opened.key, run_id: opened.run.id, step_id: step.id },
    ...{ title: title.slice(0, 200), approver_user_ids: [...userIds], approver_roles: [...roles] },
    ...{ quorum, expires_at: expiresAt },
  })
}

/**
 * Wakes steps whose time has come: a delay is over, a failed attempt is repeated, an approval has expired.
 * @returns whether there were any
 */
export async function wakeDue(kernel: Kernel, tx: Tx, { steps }: Opened): Promise<boolean> {
  const now = kernel.clock.now()
  let woke = false
  for (const row of steps.values()) {
    const { status, waiting_until: until, type } = row
    if (status !== 'waiting' || until === null || Date.parse(until) > now) continue
    await patchStep(tx, row, wokenOf(type, row.error !== null, kernel.clock.iso()))
    woke = true
  }
  return woke
}

function wokenOf(type: RunStepRow['type'], isRetry: boolean, at: string): Partial<RunStepRow> {
  if (isRetry) return { status: 'pending', waiting_until: null }
  if (type === 'delay') return { status: 'succeeded', ended_at: at, output: { waited: true }, waiting_until: null }
  const error = faultOf('EXPIRED', 'Nobody decided in time.')
  return { status: 'failed', ended_at: at, waiting_until: null, error }
}
