/**
 * The output items of a response, assembled event by event; complete answers and streams use the same code, so both
 * have the same items in the same order. Items are open until the answer is finished: a text may continue after a tool
 * call. Tested in stream-writers.test.ts.
 */

import type { AnswerEvent, Channel, TokenLogprob } from '../../call/call.ts'
import type { WithFacts } from '../../call/facts.ts'
import { logprobList } from './chat-members.ts'
import { vendorId } from './ids.ts'

type Members = Readonly<Record<string, unknown>>

export interface TextContent {
  readonly channel: Channel
  text: string
  readonly logprobs: TokenLogprob[]
}

interface Place {
  readonly id: string
  readonly index: number
}

export type OpenItem = Place &
  (
    | { readonly kind: 'message'; readonly contents: TextContent[] }
    | { readonly kind: 'reasoning'; readonly contents: TextContent[] }
    | { readonly kind: 'call'; readonly callId: string; readonly name: string; arguments: string }
  )

type TextItem = Extract<OpenItem, { readonly contents: TextContent[] }>
type CallItem = Extract<OpenItem, { readonly kind: 'call' }>

/** Change to the items by one event. `opened` and `began` say whether the item or its content is new. */
export type Change =
  | {
      readonly type: 'text'
      readonly item: TextItem
      readonly content: TextContent
      readonly text: string
      readonly opened: boolean
      readonly began: boolean
    }
  | { readonly type: 'call'; readonly item: CallItem }
  | { readonly type: 'arguments'; readonly item: CallItem; readonly text: string }

export interface ResponseItems {
  readonly items: readonly OpenItem[]
  /** Null for an event without output. */
  add(event: AnswerEvent): Change | null
}

export function responseItems(state: WithFacts): ResponseItems {
  const items: OpenItem[] = []
  const calls = new Map<number, CallItem>()
  const place = (prefix: 'msg_' | 'rs_' | 'fc_'): Place => ({
    id: vendorId(prefix, state, items.length),
    index: items.length,
  })
  const textItem = (channel: Channel): { readonly item: TextItem; readonly opened: boolean } => {
    const kind = channel === 'reasoning' ? 'reasoning' : 'message'
    const known = items.find((item): item is TextItem => item.kind === kind)
    if (known !== undefined) return { item: known, opened: false }
    const item: TextItem = { ...place(kind === 'reasoning' ? 'rs_' : 'msg_'), kind, contents: [] }
    items.push(item)
    return { item, opened: true }
  }
  const addText = (channel: Channel, text: string): Change => {
    const { item, opened } = textItem(channel)
    const known = item.contents.find((content) => content.channel === channel)
    const content = known ?? { channel, text: '', logprobs: [] }
    if (known === undefined) item.contents.push(content)
    content.text += text
    return { type: 'text', item, content, text, opened, began: known === undefined }
  }
  const addCall = ({
    index,
    id,
    name,
  }: {
    readonly index: number
    readonly id: string
    readonly name: string
  }): Change => {
    const item: CallItem = { ...place('fc_'), kind: 'call', callId: id, name, arguments: '' }
    items.push(item)
    calls.set(index, item)
    return { type: 'call', item }
  }
  const addArguments = (index: number, text: string): Change | null => {
    const item = calls.get(index)
    if (item === undefined) return null
    item.arguments += text
    return { type: 'arguments', item, text }
  }
  const addLogprobs = (channel: Channel, tokens: readonly TokenLogprob[]): null => {
    const found = items
      .flatMap((item) => (item.kind === 'call' ? [] : item.contents))
      .find((content) => content.channel === channel)
    found?.logprobs.push(...tokens)
    return null
  }
  return {
    items,
    add: (event) => {
      // This form has one choice.
      if (!('choice' in event) || event.choice !== 0) return null
      if (event.type === 'text') return addText(event.channel, event.text)
      if (event.type === 'tool_call') return addCall(event)
      if (event.type === 'tool_arguments') return addArguments(event.index, event.text)
      return event.type === 'logprobs' ? addLogprobs(event.channel, event.tokens) : null
    },
  }
}

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** The item as it is shown; a new item is empty. */
export function itemBody(item: OpenItem, status: ItemStatus): Members {
  const { id } = item
  const contents =
    item.kind === 'call' || status === 'in_progress' ? [] : item.contents.map((content) => contentBody(content))
  switch (item.kind) {
    case 'message':
      return { id, type: 'message', status, role: 'assistant', content: contents }
    case 'reasoning':
      return { id, type: 'reasoning', status, summary: [], content: contents }
    case 'call': {
      const text = status === 'in_progress' ? '' : item.arguments
      return { id, type: 'function_call', status, call_id: item.callId, name: item.name, arguments: text }
    }
    default:
      return item satisfies never
  }
}

export function contentBody({ channel, text, logprobs }: TextContent, begun = false): Members {
  const shown = begun ? '' : text
  if (channel === 'reasoning') return { type: 'reasoning_text', text: shown }
  if (channel === 'refusal') return { type: 'refusal', refusal: shown }
  return { type: 'output_text', text: shown, annotations: [], logprobs: begun ? [] : (logprobList(logprobs) ?? []) }
}
