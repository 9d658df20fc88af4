import type { AnswerFlow } from '../pipeline/call-state.ts'
import type { AnswerEvent } from './call.ts'
import { mapRecord, mapValue } from './json-texts.ts'

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

type Worded = Extract<AnswerEvent, { readonly type: 'text' | 'tool_arguments' }>
type Logprobs = Extract<AnswerEvent, { readonly type: 'logprobs' }>

interface Open {
  readonly piece: TextPiece
  readonly event: Worded
  /** What came and what left, to tell whether they are the same. */
  given: string
  left: string
  readonly logprobs: Logprobs[]
}

/**
 * Runs every text of an answer through its own piece filter and flushes a choice's texts before its finish event.
 * Probabilities spell the text token by token, so they wait for its end and are left out when it was changed.
 */
export function textFilter(make: MakePiece): EventFilter {
  const open = new Map<string, Open>()
  const opened = (key: string, event: Worded): Open => {
    const known = open.get(key)
    if (known !== undefined) return known
    const piece = make({ location: locationOf(event), json: event.type === 'tool_arguments' })
    const fresh = { piece, event, given: '', left: '', logprobs: [] }
    open.set(key, fresh)
    return fresh
  }
  const pass = (event: Worded): AnswerEvent[] => {
    const one = opened(keyOf(event), event)
    one.given += event.text
    const text = one.piece.push(event.text)
    one.left += text
    return withText(event, text)
  }
  const flush = (isDue: (choice: number) => boolean): AnswerEvent[] => {
    const due = [...open].filter(([, { event }]) => isDue(event.choice))
    for (const [key] of due) open.delete(key)
    return due.flatMap(([, { event, piece, given, left, logprobs }]) => {
      const rest = piece.end()
      return [...withText(event, rest), ...(left + rest === given ? logprobs : [])]
    })
  }
  return {
    push: (event) => {
      switch (event.type) {
        case 'text':
        case 'tool_arguments':
          return pass(event)
        case 'logprobs':
          open.get(`${event.choice}:${event.channel}`)?.logprobs.push(event)
          return []
        case 'finish':
          return [...flush((choice) => choice === event.choice), event]
        default:
          return [withVendorTexts(event, make)]
      }
    },
    end: () => flush(() => true),
  }
}

function keyOf(event: Worded): string {
  return `${event.choice}:${event.type === 'text' ? event.channel : `tool:${event.index}`}`
}

function locationOf(event: Worded): string {
  const message = `/choices/${event.choice}/message`
  if (event.type === 'tool_arguments') return `${message}/tool_calls/${event.index}/function/arguments`
  return `${message}/${event.channel === 'text' ? 'content' : event.channel}`
}

function withText(event: Worded, text: string): AnswerEvent[] {
  return text === '' ? [] : [{ ...event, text }]
}

/** What is the vendor's own is not understood, but its texts are read like all others, each by itself. */
function withVendorTexts(event: AnswerEvent, make: MakePiece): AnswerEvent {
  const whole = (location: string) => (text: string) => {
    const piece = make({ location, json: false })
    return piece.push(text) + piece.end()
  }
  switch (event.type) {
    case 'annotation': {
      const value = mapValue(event.note.value, whole(`/choices/${event.choice}/message/annotations`))
      return { ...event, note: { ...event.note, value } }
    }
    case 'extra':
      return { ...event, members: mapRecord(event.members, whole(`/choices/${event.choice}`)) }
    case 'answer_extra':
      return { ...event, members: mapRecord(event.members, whole('')) }
    case 'raw':
      return { ...event, item: { ...event.item, value: mapValue(event.item.value, whole('')) } }
    default:
      return event
  }
}
