import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { securityOf } from '../records/row.ts'
import type { RequestStatus } from '../schemas/request.ts'
import type { CallState } from './contract/call-parts.ts'
import type { Pipeline } from './order.ts'
import { isStepFailure } from './progress/failure.ts'
import { runSteps, write } from './run.ts'

/** The caller went away. Nobody is there to answer; the provider must be told at once and the log says so. */
export class ClientClosed extends ProblemError {
  constructor() {
    super('GW-033', 499, 'Client Closed Request', 'The client went away before the answer was complete.')
  }
}

/** Steps whose refusal is a block; a refusal by any other step is a failure. */
const blockingSteps: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 7, 8, 12])

/**
 * Runs step 14 once, releases the resources of the call, and throws the error that the caller gets in place of an
 * answer.
 */
export async function finishCall(kernel: Kernel, pipeline: Pipeline, state: CallState): Promise<void> {
  if (state.progress.status !== 'in_progress') return
  tellTheRest(state)
  const status = statusOf(state)
  write(state, { progress: { status } })
  const refused = state.progress.error
  try {
    await runSteps(kernel, [pipeline.recording], state)
  } finally {
    for (const cleanup of state.life.cleanups.splice(0).reverse()) cleanup()
    pipeline.watch.ended(state)
  }
  // If the outcome could not be stored, the answer is not released.
  if (state.progress.error !== null && !(state.progress.error === refused && endsQuietly(state))) {
    const isBlock = status === 'blocked' && state.progress.error === refused
    throw dressed(state, state.progress.error, isBlock ? state.plan.policy.effective.reporting.block_message : null)
  }
}

/**
 * Reports the pending findings of an answer that is not read to its end: the part that its reader received is still
 * reported.
 */
function tellTheRest(state: CallState): void {
  for (const tell of state.findings.untold)
    try {
      tell()
    } catch {
      // The outcome is stored even if a filter fails, and records that not all of the answer was inspected.
      state.write({ findings: { withheldUnseen: true } })
    }
}

/** A stream whose answer was cut off may end as if the model had stopped there, where the policy wants that. */
function endsQuietly({ progress: { blockedStep }, plan: { policy }, facts }: CallState): boolean {
  return blockedStep?.n === 12 && facts.asked.stream && policy.effective.streaming.on_block === 'finish'
}

function statusOf({
  progress: { error, blockedStep },
  life: { abort },
  answer: { released },
}: CallState): Exclude<RequestStatus, 'in_progress'> {
  if (abort.reason instanceof ClientClosed) return 'client_closed'
  if (error === null) return 'completed'
  // An abort from outside is no verdict on the call, whichever step it interrupted.
  const isJudged = error !== abort.reason && !isStepFailure(error)
  if (blockedStep !== null && blockingSteps.has(blockedStep.n) && isJudged) return 'blocked'
  if (error.code === 'GW-010') return released ? 'incomplete' : 'blocked'
  return released ? 'incomplete' : 'failed'
}

/**
 * Adds the security summary, the log id and the policy's message for a block. The message is null for a failure of
 * another party, where it would mislead.
 */
function dressed(state: CallState, error: ProblemError, message: string | null): ProblemError {
  const members = { security: securityOf(state), log_id: state.facts.id, ...(message === null ? {} : { message }) }
  return error.withMembers(members)
}
