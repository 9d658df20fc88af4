/**
 * Texts of an answer as guards read them, and the answer without the parts they remove. Tested in answer-texts.test.ts.
 */
import { collectAnswer } from '../call/answer.ts'
import type { AnswerEvent } from '../call/call.ts'
import { locationOf, type Worded } from '../call/texts/event-filter.ts'
import type { GuardTarget, GuardText, OutputParts } from '../ports/call-guards.ts'
import { type Cut, noticeFor } from './combine.ts'

/** A text is the concatenation of its events, even with other events in between. */
export function answerParts(events: readonly AnswerEvent[], servedBy: GuardTarget | null): OutputParts {
  let texts: readonly GuardText[] | undefined
  let toolCalls: OutputParts['toolCalls'] | undefined
  return {
    get texts() {
      texts ??= textsIn(events)
      return texts
    },
    get toolCalls() {
      toolCalls ??= toolCallsIn(events)
      return toolCalls
    },
    servedBy,
  }
}

function textsIn(events: readonly AnswerEvent[]): readonly GuardText[] {
  const texts = new Map<string, string[]>()
  for (const event of events) {
    if (!isWorded(event)) continue
    const location = locationOf(event)
    const pieces = texts.get(location)
    if (pieces === undefined) texts.set(location, [event.text])
    else pieces.push(event.text)
  }
  return [...texts].map(([location, pieces]) => ({ location, text: pieces.join('') }))
}

function toolCallsIn(events: readonly AnswerEvent[]): OutputParts['toolCalls'] {
  return collectAnswer(events).choices.flatMap(({ index, toolCalls }) =>
    toolCalls.map(({ name, arguments: given }, at) => ({
      location: `/choices/${index}/message/tool_calls/${at}`,
      name,
      arguments: given,
    })),
  )
}

/** Log probabilities spell the text token by token, so those of a choice with a cut are omitted. */
export function withoutCutTexts(
  events: readonly AnswerEvent[],
  cuts: ReadonlyMap<string, readonly Cut[]>,
): readonly AnswerEvent[] {
  const positions = new Map<string, number>()
  const cutChoices = new Set(
    events.flatMap((event) => (isWorded(event) && cuts.has(locationOf(event)) ? [event.choice] : [])),
  )
  return events.flatMap((event): readonly AnswerEvent[] => {
    if (event.type === 'logprobs') return cutChoices.has(event.choice) ? [] : [event]
    if (!isWorded(event)) return [event]
    const location = locationOf(event)
    const from = positions.get(location) ?? 0
    positions.set(location, from + event.text.length)
    const text = pieceWithout(event.text, from, cuts.get(location) ?? [])
    return text === event.text ? [event] : text === '' ? [] : [{ ...event, text }]
  })
}

/** The rest of the piece that begins at `from` of its text; the notice is in the piece in which the cut begins. */
function pieceWithout(piece: string, from: number, cuts: readonly Cut[]): string {
  let left = ''
  let done = 0
  for (const cut of cuts) {
    const start = cut.start - from
    const end = Math.min(cut.end - from, piece.length)
    if (end <= done || start >= piece.length) continue
    left += piece.slice(done, Math.max(start, done))
    if (start >= 0) left += noticeFor(cut)
    done = end
  }
  return left + piece.slice(done)
}

function isWorded(event: AnswerEvent): event is Worded {
  return event.type === 'text' || event.type === 'tool_arguments'
}
