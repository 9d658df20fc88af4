/**
 * Topics of an answer, checked when it is complete. A stream that is not buffered has only its end left by then, so a
 * policy whose topics block must buffer answers, which is checked when it is saved. Tested in ../../topics.test.ts.
 */

import type { WithLife } from '../../admission/call-life.ts'
import { collectAnswer } from '../../call/answer.ts'
import type { WithAnswer } from '../../call/call-answer.ts'
import type { WithFacts } from '../../call/facts.ts'
import type { Writes } from '../../call/writes.ts'
import { errors } from '../../declared/errors.ts'
import { type TopicHit, topicsFor } from '../../detection/topics/topics.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { note } from '../../findings/findings.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { WithProgress } from '../progress/call-progress.ts'
import { blockedAtOutput, enforcedAction, passUnseen, recordHit } from './12-output-record.ts'
import type { PipelineParts } from './parts.ts'

export interface TopicCheck {
  look(): Promise<Looked>
  /** @throws ProblemError where the answer must not leave */
  judge(looked: Looked): void
}

/** Hits are null where there was more than is looked at. */
type Looked = { readonly hits: readonly TopicHit[] | null } | { readonly failure: unknown }

/** Null where no topic is looked for in answers. */
export function topicCheck(
  { topics }: Pick<PipelineParts, 'topics'>,
  state: WithFacts & WithLife & WithPlan & WithFindings & WithAnswer & Writes<WithFindings & WithProgress>,
): TopicCheck | null {
  if (topicsFor(state, 'output').length === 0) return null
  return {
    look: () =>
      topics.find(state, answerTexts(state), 'output').then(
        (hits) => ({ hits }),
        (failure: unknown) => {
          state.life.abort.throwIfAborted()
          return { failure }
        },
      ),
    judge: (looked) => ('failure' in looked ? passUnseen(state, looked.failure) : judge(state, looked.hits)),
  }
}

function judge(
  state: WithPlan & WithFindings & WithAnswer & Writes<WithFindings & WithProgress>,
  hits: readonly TopicHit[] | null,
): void {
  // A long way round to the same advice is no way past a topic that blocks.
  const isUnread = hits === null && blocksAny(state)
  if (hits === null) {
    const action = isUnread ? 'block' : 'flag'
    note(state, { rule: 'oversize', step: 'output_inspection', category: 'oversize', action })
  }
  for (const { topic, location } of hits ?? [])
    recordHit(state, { rule: topic.id, category: 'content', action: topic.action, location })
  const blocking = (hits ?? []).filter(({ topic }) => enforcedAction(state, topic.action) === 'block')
  if (blocking.length === 0 && !isUnread) return
  const names = isUnread ? ['oversize'] : [...new Set(blocking.map(({ topic }) => topic.id))]
  const problem = errors.outputBlocked({ names })
  state.write(blockedAtOutput(problem))
  throw problem
}

function blocksAny(state: WithPlan & WithAnswer): boolean {
  const isStrict = state.plan.policy.effective.normalization.on_oversize === 'block'
  return isStrict && topicsFor(state, 'output').some(({ action }) => enforcedAction(state, action) === 'block')
}

/** All that reaches the caller in words. */
function answerTexts({ answer: { inspected } }: WithAnswer) {
  return collectAnswer(inspected).choices.flatMap(({ index, text, reasoning, refusal, toolCalls }) => {
    const at = `/choices/${index}/message`
    return [
      { location: `${at}/content`, text },
      { location: `${at}/reasoning_content`, text: reasoning },
      { location: `${at}/refusal`, text: refusal },
      ...toolCalls.map((call, place) => ({ location: `${at}/tool_calls/${place}`, text: call.arguments })),
    ].flatMap(({ location, text: words }) => (words === null ? [] : [{ location, text: words }]))
  })
}
