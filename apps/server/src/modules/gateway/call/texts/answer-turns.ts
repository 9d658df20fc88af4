/**
 * Large answers are inspected piece by piece, and other calls run in between: one answer must not block the process for
 * all others. The pieces together are the text, with no character split. Tested in
 * ../../pipeline/steps/12-output-turns.test.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AnswerEvent } from '../call.ts'
import type { EventFilter } from './event-filter.ts'

/** Characters inspected at once: 10 to 20 ms if every word may be part of an address. */
export const pieceLength = 2_048
/** Characters from which an answer is inspected in pieces. */
export const largeAnswer = 8_192
/** Milliseconds of work after which other calls run. */
const longestTurnMs = 10
/** A longer gap between two pieces is a wait for the provider, not work. */
const shortestWaitMs = 5

/** Characters from which a thread is worth the transfer. */
export const longAnswer = 32_768

const lengthOf = (events: readonly AnswerEvent[]): number =>
  events.reduce((sum, event) => sum + ('text' in event ? event.text.length : 0), 0)

export const isLargeAnswer = (events: readonly AnswerEvent[]): boolean => lengthOf(events) > largeAnswer

export const isLong = (events: readonly AnswerEvent[]): boolean => lengthOf(events) > longAnswer

/** The event in pieces; the event itself if it is short or holds no growing text. */
export function* piecesOf(event: AnswerEvent): Generator<AnswerEvent> {
  if ((event.type !== 'text' && event.type !== 'tool_arguments') || event.text.length <= pieceLength) {
    yield event
    return
  }
  const { text } = event
  for (let from = 0; from < text.length; ) {
    const most = Math.min(text.length, from + pieceLength)
    const to = most < text.length && isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most
    yield { ...event, text: text.slice(from, to) }
    from = to
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

export interface Turns {
  /** Runs the filter on an event piece by piece, until `isOver`. */
  push(event: AnswerEvent): AsyncGenerator<readonly AnswerEvent[]>
}

interface TurnParts {
  readonly filter: EventFilter
  /** Measures the filter's own work. */
  readonly timed: <T>(work: () => T) => T
  readonly clock: { monotonic(): number }
  readonly isOver: () => boolean
}

export function createTurns({ filter, timed, clock, isOver }: TurnParts): Turns {
  let workedMs = 0
  let endedMs = Number.NEGATIVE_INFINITY
  return {
    push: async function* (event) {
      for (const piece of piecesOf(event)) {
        const begun = clock.monotonic()
        // Between two pieces that have already arrived, one event is decoded and another written, which also delays
        // other calls.
        if (begun - endedMs < shortestWaitMs) workedMs += begun - endedMs
        const passed = timed(() => filter.push(piece))
        endedMs = clock.monotonic()
        workedMs += endedMs - begun
        yield passed
        if (isOver()) return
        if (workedMs < longestTurnMs) continue
        workedMs = 0
        await nextTurn()
        endedMs = Number.NEGATIVE_INFINITY
      }
    },
  }
}

/** Joins adjacent pieces of each text. */
export function joinPieces(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const joined: AnswerEvent[] = []
  let texts: string[] = []
  let open: Extract<AnswerEvent, { readonly type: 'text' | 'tool_arguments' }> | null = null
  const close = (): void => {
    if (open !== null) joined.push({ ...open, text: texts.join('') })
    open = null
    texts = []
  }
  for (const event of events) {
    if (event.type !== 'text' && event.type !== 'tool_arguments') {
      close()
      joined.push(event)
      continue
    }
    if (open === null || !isSameText(open, event)) {
      close()
      open = event
    }
    texts.push(event.text)
  }
  close()
  return joined
}

function isSameText(a: AnswerEvent, b: AnswerEvent): boolean {
  const rest = (event: AnswerEvent): string => JSON.stringify({ ...event, text: '' })
  return rest(a) === rest(b)
}
