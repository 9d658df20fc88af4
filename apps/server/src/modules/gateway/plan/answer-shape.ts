import type { WithAnswer } from '../call/call-answer.ts'
import type { WithFacts } from '../call/facts.ts'
import { type AnswerShape, singleTexts } from '../call/texts/event-filter.ts'
import type { WithPlan } from './call-plan.ts'

/** How the answer of the call is written for its caller. */
export function shapeOf({ answer: { flow }, facts, plan: { call } }: WithAnswer & WithFacts & WithPlan): AnswerShape {
  return {
    streams: flow?.kind === 'stream',
    blocks: facts.asked.dialect === 'anthropic',
    json: call.format !== null && call.format.type !== 'text',
    single: singleTexts(flow?.kind === 'whole' ? flow.events : []),
  }
}
