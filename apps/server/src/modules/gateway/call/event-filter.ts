import type { AnswerFlow } from '../pipeline/call-state.ts'
import type { AnswerEvent } from './call.ts'

/** Changes an answer on its way, event by event; what it does must not depend on how texts are cut. */
export interface EventFilter {
  push(event: AnswerEvent): readonly AnswerEvent[]
  /** What was held back to the end. */
  end(): readonly AnswerEvent[]
}

/** Sends an answer, complete or still coming, through a filter. `timed` measures the filter's own work. */
export function through(
  flow: AnswerFlow,
  filter: EventFilter,
  timed: <T>(work: () => T) => T = (work) => work(),
): AnswerFlow {
  if (flow.kind === 'stream') return { kind: 'stream', events: filtered(flow.events, filter, timed) }
  return {
    kind: 'whole',
    events: timed(() => [...flow.events.flatMap((event) => filter.push(event)), ...filter.end()]),
  }
}

async function* filtered(
  events: AsyncIterable<AnswerEvent>,
  filter: EventFilter,
  timed: <T>(work: () => T) => T,
): AsyncGenerator<AnswerEvent> {
  let judging = false
  try {
    for await (const event of events) {
      judging = true
      const passed = timed(() => filter.push(event))
      judging = false
      yield* passed
    }
  } catch (error) {
    // What was held back when the provider broke off is inspected and sent; after a filter's own refusal nothing is.
    if (!judging) yield* timed(() => filter.end())
    throw error
  }
  yield* timed(() => filter.end())
}

/** One text filter per choice and channel, kept until the choice is finished. */
export interface TextPiece {
  push(text: string): string
  end(): string
}

export type MakePiece = (where: { readonly location: string; readonly json: boolean }) => TextPiece

/** Runs every text of an answer through its own piece filter and flushes a choice's texts before its finish event. */
export function textFilter(make: MakePiece): EventFilter {
  const open = new Map<
    string,
    { readonly piece: TextPiece; readonly event: AnswerEvent & { readonly choice: number } }
  >()
  const pieceOf = (key: string, event: AnswerEvent & { readonly choice: number }, location: string): TextPiece => {
    const known = open.get(key)
    if (known !== undefined) return known.piece
    const piece = make({ location, json: event.type === 'tool_arguments' })
    open.set(key, { piece, event })
    return piece
  }
  const flush = (isDue: (choice: number) => boolean): AnswerEvent[] => {
    const due = [...open].filter(([, { event }]) => isDue(event.choice))
    for (const [key] of due) open.delete(key)
    return due.flatMap(([, { piece, event }]) => withText(event, piece.end()))
  }
  return {
    push: (event) => {
      switch (event.type) {
        case 'text': {
          const location = `/choices/${event.choice}/message/${event.channel === 'text' ? 'content' : event.channel}`
          return withText(event, pieceOf(`${event.choice}:${event.channel}`, event, location).push(event.text))
        }
        case 'tool_arguments': {
          const location = `/choices/${event.choice}/message/tool_calls/${event.index}/function/arguments`
          return withText(event, pieceOf(`${event.choice}:tool:${event.index}`, event, location).push(event.text))
        }
        case 'finish':
          return [...flush((choice) => choice === event.choice), event]
        default:
          return [event]
      }
    },
    end: () => flush(() => true),
  }
}

function withText(event: AnswerEvent, text: string): AnswerEvent[] {
  return text === '' || !('text' in event) ? [] : [{ ...event, text }]
}
