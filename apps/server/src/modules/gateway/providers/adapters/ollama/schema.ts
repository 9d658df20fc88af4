import Type, { type Static } from 'typebox'

const opt = Type.Optional
const maybe = <S extends Type.TSchema>(schema: S) => opt(Type.Union([schema, Type.Null()]))
const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

const ToolCall = Type.Object({
  id: maybe(Type.String({ maxLength: 256 })),
  function: Type.Object({ name: Type.String(), arguments: maybe(Type.Record(Type.String(), Type.Unknown())) }),
})
export type OllamaToolCall = Static<typeof ToolCall>

const token = {
  token: Type.String(),
  logprob: Type.Number(),
  bytes: maybe(Type.Array(Type.Integer({ minimum: 0, maximum: 255 }))),
}
const Logprob = Type.Object({ ...token, top_logprobs: maybe(Type.Array(Type.Object(token))) })
export type OllamaLogprob = Static<typeof Logprob>

/**
 * Only used members are described. A complete answer and every line of a stream have this form; the last one is done.
 */
export const OllamaAnswer = Type.Object({
  model: opt(Type.String({ maxLength: 256 })),
  created_at: opt(Type.String({ maxLength: 64 })),
  message: maybe(
    Type.Object({
      content: maybe(Type.String()),
      thinking: maybe(Type.String()),
      tool_calls: maybe(Type.Array(ToolCall, { maxItems: 128 })),
    }),
  ),
  logprobs: maybe(Type.Array(Logprob)),
  done: Type.Boolean(),
  done_reason: maybe(Type.String({ maxLength: 64 })),
  prompt_eval_count: maybe(count),
  eval_count: maybe(count),
})
export type OllamaAnswer = Static<typeof OllamaAnswer>

export const OllamaError = Type.Object({ error: Type.String() })

export const OllamaTags = Type.Object({
  models: Type.Array(Type.Object({ name: Type.String({ maxLength: 256 }) }), { maxItems: 10_000 }),
})

export const OllamaEmbeddings = Type.Object({
  model: opt(Type.String({ maxLength: 256 })),
  embeddings: Type.Array(Type.Array(Type.Number()), { maxItems: 2048 }),
  prompt_eval_count: maybe(count),
})
