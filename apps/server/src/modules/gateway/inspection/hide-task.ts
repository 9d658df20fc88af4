import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import { rulesOf } from '../policy/compile.ts'
import type { EffectivePolicy } from '../policy/effective.ts'
import { hideInAnswer } from './sensitive-texts.ts'

export interface AnswerToHide {
  readonly texts: readonly string[]
  readonly policy: EffectivePolicy
}

/** The texts of a long answer in storable form, in order. */
export const hideAnswer: ThreadTask<AnswerToHide, readonly string[]> = {
  name: 'gateway.answer.hide',
  lane: 'bulk',
  run: ({ texts, policy }, { stopped }) => {
    const rules = { effective: policy, rules: rulesOf(policy) }
    return texts.map((text) => {
      if (stopped()) throw new Error('Nobody waits for the texts any more')
      return hideInAnswer(text, rules)
    })
  },
}
