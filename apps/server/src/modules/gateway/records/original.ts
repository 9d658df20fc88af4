/**
 * The caller's request and answer, before redaction and after restoration, for policies that keep all of it. Promises
 * that less is kept for a caller that asked for less; it is stored encrypted and never searched. Tested in
 * original.test.ts.
 */

import { restore, restoreJson } from '@parapet/detect'
import { collectAnswer } from '../call/answer.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import type { WithFacts } from '../call/facts.ts'
import { restorable } from '../inspection/restorable.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { EffectivePolicy } from '../policy/merge.ts'
import type { Payload } from '../schemas/request.ts'
import { messagesOf } from './kept-call.ts'

/** Null where the policy or the caller keeps no original. */
export function originalOf(state: WithFacts & WithPlan & WithAnswer, { retention }: EffectivePolicy): Payload | null {
  const { asked } = state.facts
  if (retention.level !== 'full' || asked.retention !== null) return null
  const vault = restorable(state)
  const { choices } = collectAnswer(state.answer.inspected)
  return {
    // The call in the state was changed on its way; the original request is read again.
    messages: messagesOf(asked.read()),
    answer: choices.map(({ index, text, toolCalls }) => ({
      index,
      text: restore(text ?? '', vault),
      tool_calls: toolCalls.map(({ name, arguments: said }) => ({ name, arguments: restoreJson(said, vault) })),
    })),
  }
}
