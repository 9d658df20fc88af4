/** How the events of an answer pass the inspection, and where a block ends them. Tested in ../steps/12-output-inspection.test.ts. */

import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { WithLife } from '../../admission/call-life.ts'
import type { AnswerEvent } from '../../call/call.ts'
import type { AnswerFlow, WithAnswer } from '../../call/call-answer.ts'
import { noteReceived } from '../../call/received.ts'
import { joinPieces, type Turns } from '../../call/texts/answer-turns.ts'
import { type EventFilter, through } from '../../call/texts/event-filter.ts'
import type { Writes } from '../../call/writes.ts'
import type { WithProgress } from './call-progress.ts'
import { isGivenUp } from './in-time.ts'

export interface Inspecting {
  readonly filter: EventFilter
  readonly timed: <T>(work: () => T) => T
  readonly turns: Turns
  readonly gathers: boolean
  /** Set by a block: the problem that the caller gets in place of the rest. */
  readonly stop: { readonly problem: ProblemError | null }
  /** Judges a complete stream as a whole. @throws ProblemError if its end must not leave */
  readonly judge: () => Promise<void>
}

/** Sends an answer through the inspection: whole at once, a stream as it comes or when it is complete. */
export function inspected(state: WithAnswer, answer: AnswerFlow, inspecting: Inspecting): AnswerFlow {
  const { filter, timed, gathers, stop } = inspecting
  if (answer.kind === 'stream')
    return {
      kind: 'stream',
      events: gathers ? allAtOnce(state, answer.events, inspecting) : asTheyCome(state, answer.events, inspecting),
    }
  for (const event of answer.events) noteReceived(state, event)
  const whole = through(answer, filter, timed)
  if (stop.problem !== null) throw stop.problem
  return whole
}

type Running = WithLife & WithProgress & WithAnswer & Writes<WithAnswer>

/** A whole answer that would hold the event loop if looked at in one go. Ends with the call and with the step. */
export async function wholeInTurns(
  state: Running,
  events: readonly AnswerEvent[],
  { filter, timed, turns, stop }: Inspecting,
): Promise<void> {
  const passed: AnswerEvent[] = []
  for (const event of events) {
    noteReceived(state, event)
    for await (const some of turns.push(event)) {
      if (isGivenUp(state, 12)) return
      state.life.abort.throwIfAborted()
      passed.push(...some)
    }
  }
  passed.push(...timed(() => filter.end()))
  if (stop.problem !== null) throw stop.problem
  state.write({ answer: { flow: { kind: 'whole', events: joinPieces(passed) } } })
}

/** Content before a block leaves, however the answer was split; then the problem follows. */
async function* asTheyCome(
  state: WithAnswer,
  events: AsyncIterable<AnswerEvent>,
  { filter, timed, turns, stop, judge }: Inspecting,
): AsyncGenerator<AnswerEvent> {
  let judging = false
  try {
    for await (const event of events) {
      noteReceived(state, event)
      judging = true
      for await (const passed of turns.push(event)) {
        judging = false
        yield* passed
        judging = true
      }
      judging = false
      if (stop.problem !== null) break
    }
  } catch (error) {
    // Content held back when the provider broke off is inspected and sent; after a filter's own failure nothing is
    // sent.
    if (!judging && stop.problem === null) yield* timed(() => filter.end())
    throw stop.problem ?? error
  }
  if (stop.problem === null) yield* timed(() => filter.end())
  if (stop.problem !== null) throw stop.problem
  await judge()
}

async function* allAtOnce(
  state: WithAnswer,
  events: AsyncIterable<AnswerEvent>,
  { filter, timed, turns, stop, judge }: Inspecting,
): AsyncGenerator<AnswerEvent> {
  const whole: AnswerEvent[] = []
  for await (const event of events) {
    noteReceived(state, event)
    whole.push(event)
  }
  const passed: AnswerEvent[] = []
  for (const event of whole) for await (const some of turns.push(event)) passed.push(...some)
  passed.push(...timed(() => filter.end()))
  // Nothing has left yet, so a block refuses the whole answer.
  if (stop.problem !== null) throw stop.problem
  await judge()
  yield* passed
}
