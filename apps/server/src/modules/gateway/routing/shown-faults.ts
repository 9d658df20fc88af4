import type { AnswerEvent } from '../call/call.ts'
import { hideInAnswer } from '../inspection/sensitive-texts.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { scrubbedFault } from '../providers/evidence.ts'
import { UpstreamFault } from '../providers/fault.ts'

/**
 * The events of a provider, with its error messages checked by the policy's rules for answers: they come from outside
 * like answers, reach the same caller, and stay in the log. Tested in upstream-words.test.ts.
 */
export async function* withShownFaults(
  events: AsyncGenerator<AnswerEvent>,
  { plan: { policy } }: WithPlan,
): AsyncGenerator<AnswerEvent> {
  const { mode, output } = policy.effective
  try {
    yield* events
  } catch (error) {
    const isShown = !(error instanceof UpstreamFault) || mode !== 'enforce' || !output.enabled
    throw isShown ? error : scrubbedFault(error, (text) => hideInAnswer(text, policy))
  }
}
