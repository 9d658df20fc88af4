/**
 * Assembles the vendor's own response for a caller of its form: the vendor's events in order, with the inspected texts
 * in their places. Tested in sdk-own-responses.test.ts.
 */
import { fits } from '../../../../kernel/schema/fits.ts'
import type { AnswerEvent, TokenLogprob } from '../../call/call.ts'
import { Frame, type OutputItem, type Piece, SealedThought } from '../../providers/adapters/openai/responses/schema.ts'
import {
  emptyText,
  kindOfPiece,
  mapItem,
  partName,
  placeOfFrame,
  placeOfPart,
  type TextPlace,
} from '../../providers/adapters/openai/responses/texts.ts'
import { logprobList } from './chat-members.ts'
import type { ItemStatus } from './response-items.ts'

type Members = Readonly<Record<string, unknown>>
type OwnFrame = Members & { readonly type: string }

export interface OwnResponse {
  /** Whether the answer came in the vendor's own events. */
  isOwn(event: AnswerEvent): boolean
  /** Frames for the caller; empty for an event that is reported as part of another one. */
  add(event: AnswerEvent): readonly OwnFrame[]
  /** The items received so far; one that was cut off is not complete. */
  output(): readonly object[]
  /** Unknown members of the response. */
  members(): Members
}

const form = 'openai_responses'

export function ownResponse(): OwnResponse {
  const items = new Map<number, { readonly item: OutputItem; readonly done: boolean }>()
  const texts = new Map<string, string>()
  const logprobs = new Map<string, TokenLogprob[]>()
  /** By tool call: its item, and its arguments. */
  const calls: number[] = []
  const given = new Map<number, string>()
  const sealed = new Map<number, string>()
  let members: Members = {}
  let active = false

  const textAt = (place: TextPlace): Members => {
    const part = partName(place)
    const tokens = logprobList(logprobs.get(part) ?? [])
    return { ...emptyText(place.kind, texts.get(part) ?? ''), ...(tokens === null ? {} : { logprobs: tokens }) }
  }
  const filledItem = (item: OutputItem, index: number): object => ({
    ...mapItem(item, index, textAt),
    ...(item.type === 'function_call' ? { arguments: given.get(index) ?? '' } : {}),
    ...(sealed.has(index) ? { encrypted_content: sealed.get(index) } : {}),
  })
  const filledPart = (part: Piece, { output_index: item = 0, ...at }: Frame): object => {
    const kind = kindOfPiece(part)
    if (kind === null) return part
    return { ...part, ...textAt({ kind, item, piece: at.content_index ?? at.summary_index ?? 0 }) }
  }
  const filled = (frame: Frame): OwnFrame => {
    const { item, part, output_index: index = 0 } = frame
    const place = placeOfFrame(frame)
    const isArguments = frame.type === 'response.function_call_arguments.done'
    const begins = /\.added$/.test(frame.type)
    return {
      ...frame,
      ...(place === null ? {} : textAt(place)),
      ...(isArguments ? { arguments: given.get(index) ?? '' } : {}),
      ...(item === undefined || begins ? {} : { item: filledItem(item, index) }),
      ...(part === undefined || begins ? {} : { part: filledPart(part, frame) }),
    }
  }
  const addRaw = (type: string, value: unknown): readonly OwnFrame[] => {
    const frame = typeof value === 'object' ? { ...value, type } : null
    if (!fits(Frame, frame)) return []
    const { item, output_index: index = 0 } = frame
    if (item !== undefined) {
      if (item.type === 'function_call' && !items.has(index)) calls.push(index)
      items.set(index, { item, done: type === 'response.output_item.done' })
    }
    return [filled(frame)]
  }
  const at = (index: number): Members => {
    const id = items.get(index)?.item.id
    return { ...(id ? { item_id: id } : {}), output_index: index }
  }
  const addText = ({ text, part = '' }: { readonly text: string; readonly part?: string }): readonly OwnFrame[] => {
    const place = placeOfPart(part)
    if (place === null) return []
    texts.set(part, (texts.get(part) ?? '') + text)
    const piece = { [place.kind === 'reasoning_summary_text' ? 'summary_index' : 'content_index']: place.piece }
    const tokens = place.kind === 'output_text' ? { logprobs: [] } : {}
    return [{ type: `response.${place.kind}.delta`, ...at(place.item), ...piece, delta: text, ...tokens }]
  }
  const addArguments = (tool: number, text: string): readonly OwnFrame[] => {
    const index = calls[tool] ?? 0
    given.set(index, (given.get(index) ?? '') + text)
    return [{ type: 'response.function_call_arguments.delta', ...at(index), delta: text }]
  }
  return {
    isOwn: (event) => {
      active ||=
        (event.type === 'raw' && event.item.form === form) || (event.type === 'text' && event.part !== undefined)
      return active
    },
    add: (event) => {
      switch (event.type) {
        case 'raw':
          return event.event === null ? [] : addRaw(event.event, event.item.value)
        case 'text':
          return addText(event)
        case 'tool_arguments':
          return addArguments(event.index, event.text)
        case 'logprobs':
          if (event.part !== undefined) logprobs.set(event.part, [...(logprobs.get(event.part) ?? []), ...event.tokens])
          return []
        case 'reasoning_data': {
          const { value } = event.data
          if (fits(SealedThought, value)) sealed.set(value.item, value.encrypted_content)
          return []
        }
        case 'answer_extra':
          if (event.form === form) members = event.members
          return []
        default:
          return []
      }
    },
    output: () =>
      [...items]
        .sort(([a], [b]) => a - b)
        .map(([index, { item, done }]) => ({
          ...filledItem(item, index),
          ...(done ? {} : { status: 'incomplete' satisfies ItemStatus }),
        })),
    members: () => members,
  }
}
