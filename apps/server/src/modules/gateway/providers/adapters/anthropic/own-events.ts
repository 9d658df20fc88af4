/**
 * Events for callers of Anthropic's own form only: where one content block ends and the next begins, and members that
 * are not understood. The texts of blocks travel as common events and may be held back by inspection, so the marks say
 * how long each text was. Pure. Written by decode.ts and stream.ts, read by dialects/anthropic/layout.ts; tested
 * through both.
 */
import type { AnswerEvent } from '../../../call/call.ts'

export const anthropicForm = 'anthropic_messages'

/** Kinds of blocks that have events of their own. */
export type MarkedKind = 'text' | 'thinking' | 'tool_use'

/** A block begins; with the members of it that are not understood. */
export interface BlockBegins {
  readonly kind: MarkedKind
  readonly members: Readonly<Record<string, unknown>>
}

/** The last begun block of a kind ends; `length` counts the characters of its text or input as they came. */
export interface BlockEnds {
  readonly kind: MarkedKind
  readonly length: number
}

/** A block of a kind that has no meaning here, complete; with those of its deltas that could not be put into it. */
export interface WholeBlock {
  readonly block: Readonly<Record<string, unknown>>
  readonly deltas: readonly unknown[]
}

/** A signature of the thinking before it, or thinking that cannot be read. */
export type SealedThinking =
  | { readonly type: 'thinking'; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }

export const markNames = { begins: 'block_begins', ends: 'block_ends', whole: 'block' } as const

type RawEvent = Extract<AnswerEvent, { readonly type: 'raw' }>

export function blockBegins(value: BlockBegins): RawEvent {
  return { type: 'raw', event: markNames.begins, item: { form: anthropicForm, value } }
}

export function blockEnds(value: BlockEnds): RawEvent {
  return { type: 'raw', event: markNames.ends, item: { form: anthropicForm, value } }
}

export function wholeBlock(value: WholeBlock): RawEvent {
  return { type: 'raw', event: markNames.whole, item: { form: anthropicForm, value } }
}

export function sealed(value: SealedThinking): AnswerEvent {
  return { type: 'reasoning_data', choice: 0, data: { form: anthropicForm, value } }
}

export function restOf(record: object, known: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !known.has(name)))
}
