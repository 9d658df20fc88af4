import Type, { type Static } from 'typebox'

const opt = Type.Optional
const maybe = <S extends Type.TSchema>(schema: S) => opt(Type.Union([schema, Type.Null()]))
const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const index = opt(Type.Integer({ minimum: 0, maximum: 100_000 }))
const record = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })
const text = opt(Type.String())

/** A part of a message or of thinking. */
export const Piece = Type.Object({
  type: Type.String(),
  text: maybe(Type.String()),
  refusal: maybe(Type.String()),
  logprobs: opt(Type.Unknown()),
})
export type Piece = Static<typeof Piece>
const pieces = maybe(Type.Array(Piece, { maxItems: 10_000 }))

/** Only used members are described; the vendor adds members freely. */
export const OutputItem = Type.Object({
  type: Type.String(),
  id: maybe(Type.String({ maxLength: 256 })),
  call_id: text,
  name: text,
  arguments: text,
  content: pieces,
  summary: pieces,
  encrypted_content: maybe(Type.String()),
})
export type OutputItem = Static<typeof OutputItem>

/** Thinking that cannot be read here, and the index of its item. */
export const SealedThought = Type.Object({ item: Type.Integer(), encrypted_content: Type.String() })
export type SealedThought = Static<typeof SealedThought>

const token = { token: Type.String(), logprob: Type.Number(), bytes: maybe(Type.Array(Type.Integer())) }
export const Logprobs = Type.Array(Type.Object({ ...token, top_logprobs: maybe(Type.Array(Type.Object(token))) }))

export const ResponsesUsage = Type.Object({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: maybe(Type.Object({ cached_tokens: maybe(count), cache_write_tokens: maybe(count) })),
  output_tokens_details: maybe(Type.Object({ reasoning_tokens: maybe(count) })),
})
export type ResponsesUsage = Static<typeof ResponsesUsage>

export const ResponseBody = Type.Object({
  id: maybe(Type.String({ maxLength: 256 })),
  model: opt(Type.String({ maxLength: 256 })),
  status: text,
  output: opt(Type.Array(OutputItem, { maxItems: 10_000 })),
  incomplete_details: maybe(Type.Object({ reason: text })),
  error: maybe(Type.Object({ code: maybe(Type.String()), message: maybe(Type.String()) })),
  /** Checked by itself: malformed counts do not make an answer invalid. */
  usage: opt(Type.Unknown()),
  service_tier: opt(Type.Unknown()),
})
export type ResponseBody = Static<typeof ResponseBody>

export const Frame = Type.Object({
  type: Type.String({ maxLength: 128 }),
  output_index: index,
  content_index: index,
  summary_index: index,
  item_id: opt(Type.String({ maxLength: 256 })),
  delta: opt(Type.Unknown()),
  text,
  refusal: text,
  arguments: text,
  logprobs: opt(Type.Unknown()),
  item: opt(OutputItem),
  part: opt(Piece),
  response: opt(ResponseBody),
  /** Of an event that is an error. */
  code: maybe(Type.String()),
  message: maybe(Type.String()),
  error: opt(record),
})
export type Frame = Static<typeof Frame>
