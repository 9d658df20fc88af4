import type { WithLife } from '../../admission/call-life.ts'
import type { AnswerEvent } from '../../call/call.ts'
import type { WithAnswer } from '../../call/call-answer.ts'
import type { WithFacts } from '../../call/facts.ts'
import type { OutputHit } from '../../findings/output-hit.ts'
import type { WithPlan } from '../../plan/call-plan.ts'

/**
 * A large answer inspected in a thread: the events and findings that an inspection in place would have produced. Plain
 * data.
 */
export interface InspectedWhole {
  /** Events that may leave. */
  readonly events: readonly AnswerEvent[]
  readonly hits: readonly OutputHit[]
  /** Parts of the inspection that failed and were passed because the policy says so. */
  readonly failOpen: readonly string[]
  /** A blocked answer, with the message of the rule's author. */
  readonly block: { readonly message: string | null } | null
}

export interface WholeInspection {
  /**
   * Inspects a whole answer in a worker thread. @returns null if no thread is free, or if the policy needs state that
   * only this thread has.
   * @throws the reason of a call that ended; Error when the thread could not do it
   */
  inspect(
    state: WithFacts & WithLife & WithPlan & WithAnswer,
    events: readonly AnswerEvent[],
  ): Promise<InspectedWhole | null>
}
