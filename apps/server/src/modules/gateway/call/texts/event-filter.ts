import type { AnswerEvent, TextName } from '../call.ts'
import type { AnswerFlow } from '../call-answer.ts'
import { spells, withShortTexts } from './short-texts.ts'
import { goingOn, type MakePiece, type TextPiece, wholeOf } from './text-piece.ts'
import { growingTexts, withVendorTexts } from './vendor-texts.ts'

/** Changes an answer in transit, event by event; the result must not depend on how texts are split into events. */
export interface EventFilter {
  push(event: AnswerEvent): readonly AnswerEvent[]
  /** Releases events held back until the end. */
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
    // If the provider breaks off, held-back text is inspected and sent; after a refusal by the filter itself nothing is
    // sent.
    if (!judging) yield* timed(() => filter.end())
    throw error
  }
  yield* timed(() => filter.end())
}

export type Worded = Extract<AnswerEvent, { readonly type: 'text' | 'tool_arguments' }>
type Logprobs = Extract<AnswerEvent, { readonly type: 'logprobs' }>

interface Open {
  readonly piece: TextPiece
  readonly event: Worded
  /** Text received and text released, for comparing the two. */
  given: string
  left: string
  /** Whether the filter has ended. */
  isDone: boolean
  readonly logprobs: Logprobs[]
}

export interface AnswerShape {
  /** The answer arrives in pieces, including its vendor-specific parts. */
  readonly streams: boolean
  /**
   * The answer consists of blocks: text after reasoning waits for the end of the reasoning, and resumed reasoning is a
   * separate text. Elsewhere reasoning is one text to its reader, however often it is interrupted.
   */
  readonly blocks: boolean
  /** Events that each are a complete text. */
  readonly single: ReadonlySet<AnswerEvent>
  /** The text is JSON, because the call requested JSON. */
  readonly json?: boolean
  /** A text is read together with the end of the previous one, as a reader who sees both as one text does. */
  readonly joined?: boolean
}

/**
 * Runs every text of an answer through its own piece filter and flushes a choice's texts before its finish event. Log
 * probabilities spell the text token by token, so they wait for its end and are omitted if it was changed.
 */
export function textFilter(
  make: MakePiece,
  { streams, blocks, single, json = false, joined = false }: AnswerShape,
): EventFilter {
  const open = new Map<string, Open>()
  const vendors = growingTexts(make)
  /** End of the released text of each channel. */
  const ends = new Map<string, string>()
  const opened = (key: string, event: Worded): Open => {
    const known = open.get(key)
    if (known !== undefined) return known
    const tool = isCall(event)
    const place = { location: locationOf(event), json: tool || (json && isSaid(event)), tool }
    const after = ends.get(channelOf(event)) ?? ''
    const piece = after === '' ? make(place) : goingOn(make({ ...place, after }), after)
    const fresh = { piece, event, given: '', left: '', isDone: false, logprobs: [] }
    open.set(key, fresh)
    return fresh
  }
  const pass = (event: Worded): AnswerEvent[] => {
    const key = keyOf(event)
    // Text held by another text of the same channel precedes this one, so it is released first.
    const before = !joined || open.has(key) ? [] : flush((other) => channelOf(other) === channelOf(event))
    const one = opened(key, event)
    one.isDone ||= single.has(event)
    one.given += event.text
    const text = one.isDone ? wholeOf(one.piece, event.text) : one.piece.push(event.text)
    one.left += text
    return [...before, ...withText(event, text)]
  }
  const flush = (isDue: (event: Worded) => boolean): AnswerEvent[] => {
    const due = [...open].filter(([, { event }]) => isDue(event))
    for (const [key] of due) open.delete(key)
    return due.flatMap(([, { event, piece, given, left, isDone, logprobs }]) => {
      const rest = isDone ? '' : piece.end()
      if (joined) ends.set(channelOf(event), `${ends.get(channelOf(event)) ?? ''}${left}${rest}`.slice(-reach))
      const [spelled] = logprobs
      const isSame = spelled !== undefined && left + rest === given && spells(spelled, given, logprobs, make)
      return [...withText(event, rest), ...(isSame ? logprobs : [])]
    })
  }
  const short = (event: AnswerEvent): AnswerEvent[] => {
    const shown = withShortTexts(event, make)
    return shown === null ? [] : [shown]
  }
  const take = (event: AnswerEvent): AnswerEvent[] => {
    switch (event.type) {
      case 'text':
      case 'tool_arguments':
        return pass(event)
      case 'logprobs':
        open.get(keyOfName(event.choice, { channel: event.channel, part: event.part ?? '' }))?.logprobs.push(event)
        return []
      case 'finish': {
        const isDue = (choice: number): boolean => choice === event.choice
        return [...flush(({ choice }) => isDue(choice)), ...vendors.end(isDue), ...short(event)]
      }
      case 'start':
      case 'tool_call':
      case 'reasoning_data':
        return short(event)
      case 'text_end': {
        const ended = keyOfName(event.choice, event.of)
        return [...flush((one) => keyOf(one) === ended), event]
      }
      case 'extra':
        return [streams && event.of === 'message' ? vendors.push(event) : withVendorTexts(event, make)]
      default:
        return [withVendorTexts(event, make)]
    }
  }
  const push = (event: AnswerEvent): AnswerEvent[] =>
    blocks && endsThought(event) ? [...flush(isThought), ...take(event)] : take(event)
  return { push, end: () => [...flush(() => true), ...vendors.end(() => true)] }
}

/** Events of an answer that each are a complete text. */
export function singleTexts(events: readonly AnswerEvent[]): ReadonlySet<AnswerEvent> {
  const byKey = new Map<string, AnswerEvent | null>()
  for (const event of events)
    if (event.type === 'text' || event.type === 'tool_arguments') {
      const key = keyOf(event)
      byKey.set(key, byKey.has(key) ? null : event)
    }
  return new Set([...byKey.values()].filter((event) => event !== null))
}

/** The input of a custom tool is plain text. */
function isCall(event: Worded): boolean {
  return event.type === 'tool_arguments' && event.custom !== true
}

function isSaid(event: Worded): boolean {
  return event.type === 'text' && event.channel === 'text'
}

function isThought(event: Worded): boolean {
  return event.type === 'text' && event.channel === 'reasoning'
}

/** Whether the event ends the preceding reasoning, in an answer of blocks. */
export function endsThought(event: AnswerEvent): boolean {
  switch (event.type) {
    case 'text':
      return event.channel !== 'reasoning'
    case 'tool_call':
    case 'reasoning_data':
    case 'raw':
      return true
    default:
      return false
  }
}

/**
 * Characters of the preceding text that are read together with a text; a longer match across both is not found as a
 * whole.
 */
const reach = 256

/**
 * Texts that readers may show as one: those of a channel, even with others in between. Arguments are never shown so.
 */
function channelOf(event: Worded): string {
  return event.type === 'text' ? `${event.choice}:${event.channel}` : keyOf(event)
}

function keyOf(event: Worded): string {
  const { choice } = event
  if (event.type === 'tool_arguments') return keyOfName(choice, { tool: event.index })
  return keyOfName(choice, { channel: event.channel, part: event.part ?? '' })
}

function keyOfName(choice: number, name: TextName): string {
  return 'tool' in name ? `${choice}:tool:${name.tool}` : `${choice}:${name.channel}:${name.part}`
}

/** JSON Pointer of the text in the complete answer. */
export function locationOf(event: Worded): string {
  const message = `/choices/${event.choice}/message`
  if (event.type === 'tool_arguments')
    return `${message}/tool_calls/${event.index}/${event.custom === true ? 'custom/input' : 'function/arguments'}`
  return `${message}/${event.channel === 'text' ? 'content' : event.channel}`
}

function withText(event: Worded, text: string): AnswerEvent[] {
  return text === '' ? [] : [{ ...event, text }]
}
