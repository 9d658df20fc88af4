/** How a step ended, in its journal: with an output, or with a fault that is tried again, handled or final. */
import { CelFault } from '../../../kernel/cel/program.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { armWait } from '../../../kernel/schedules/waits.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import type { Step } from './declared/definition.ts'
import type { RunFault, RunStepRow } from './declared/schema.ts'
import { retryPause } from './graph.ts'
import { faultOf, keptOutput, openRun, patchRun, patchStep } from './journal.ts'
import { runJobKind } from './run-job.ts'

export interface StepOutcome {
  readonly status: 'succeeded' | 'skipped'
  readonly output: unknown
}

export interface Settling {
  readonly row: RunStepRow
  readonly outcome: StepOutcome
}

export function settleStep({ kernel }: PlatformServices, tx: Tx, { row, outcome }: Settling): Promise<void> {
  return patchStep(tx, row, {
    ...{ status: outcome.status, output: keptOutput(kernel, tx, outcome.output), error: null },
    ...{ ended_at: kernel.clock.iso(), waiting_until: null },
  })
}

export interface Faulted {
  readonly runId: string
  readonly step: Step
  readonly error: unknown
  readonly output?: unknown
}

/** Stores the fault, with the time of the next attempt where there is one. */
export async function settleFault(services: PlatformServices, tx: Tx, { runId, step, error, output }: Faulted) {
  const { kernel } = services
  const opened = await openRun(tx, runId)
  const row = opened?.steps.get(step.id)
  if (opened === null || row === undefined) return
  const at = kernel.clock.iso()
  // Where the turn was rolled back its attempt is not counted yet.
  const attempts = row.status === 'running' ? row.attempts : row.attempts + 1
  const pause = retryPause(step.retry, attempts, kernel.random.fraction())
  const until = pause === null ? null : kernel.clock.now() + pause
  await patchStep(tx, row, {
    ...{ attempts, error: describe(error), output: output === undefined ? null : keptOutput(kernel, tx, output) },
    ...{ status: until === null ? 'failed' : 'waiting', started_at: row.started_at ?? at },
    ...{ ended_at: until === null ? at : null, waiting_until: until === null ? null : new Date(until).toISOString() },
  })
  if (opened.run.status === 'queued') await patchRun(tx, kernel, opened.run, { status: 'running', started_at: at })
  if (until !== null)
    await armWait(kernel, tx, {
      ...{ owner: 'platform', key: `${runId}/${step.id}`, kind: runJobKind, payload: { run_id: runId }, until },
    })
}

function describe(error: unknown): RunFault {
  if (error instanceof ProblemError) return faultOf(error.code, error.message)
  if (error instanceof CelFault) return faultOf('CEL', error.message)
  return faultOf('HTTP', error instanceof Error ? error.message : String(error))
}
