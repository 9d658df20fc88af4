import Type, { type Static } from 'typebox'

const opt = Type.Optional
const maybe = <S extends Type.TSchema>(schema: S) => opt(Type.Union([schema, Type.Null()]))
const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const index = maybe(Type.Integer({ minimum: 0, maximum: 127 }))
/** Checked by itself: JSON in a text, the value itself, or nothing. */
const callArguments = opt(Type.Unknown())

/** Only used members are described; vendors add members freely, and proxies write null for counts they do not have. */
export const OpenAiUsage = Type.Object({
  prompt_tokens: maybe(count),
  completion_tokens: maybe(count),
  prompt_tokens_details: maybe(
    Type.Object({ cached_tokens: maybe(count), cache_write_tokens: maybe(count), audio_tokens: maybe(count) }),
  ),
  completion_tokens_details: maybe(Type.Object({ reasoning_tokens: maybe(count), audio_tokens: maybe(count) })),
})
export type OpenAiUsage = Static<typeof OpenAiUsage>

/** Checked by itself: malformed counts do not make an answer invalid. */
const usage = opt(Type.Unknown())

const token = { token: Type.String(), logprob: Type.Number(), bytes: maybe(Type.Array(Type.Integer())) }
const Logprob = Type.Object({ ...token, top_logprobs: maybe(Type.Array(Type.Object(token))) })
export type OpenAiLogprob = Static<typeof Logprob>
const logprobs = maybe(Type.Object({ content: maybe(Type.Array(Logprob)), refusal: maybe(Type.Array(Logprob)) }))
export type OpenAiLogprobs = Static<typeof logprobs> | undefined

export const OpenAiTextPart = Type.Object({ type: Type.Enum(['text', 'output_text']), text: Type.String() })
export const OpenAiThoughtPart = Type.Object({
  type: Type.Literal('thinking'),
  thinking: Type.Union([Type.String(), Type.Array(Type.Object({ text: Type.String() }))]),
})

const texts = {
  content: maybe(Type.Union([Type.String(), Type.Array(Type.Unknown())])),
  reasoning_content: maybe(Type.String()),
  /** Another name that some servers have for it. */
  reasoning: opt(Type.Unknown()),
  refusal: maybe(Type.String()),
}

export const OpenAiAnswer = Type.Object({
  id: maybe(Type.String({ maxLength: 256 })),
  created: opt(Type.Unknown()),
  model: maybe(Type.String({ maxLength: 256 })),
  system_fingerprint: maybe(Type.String({ maxLength: 128 })),
  choices: Type.Array(
    Type.Object({
      index,
      finish_reason: maybe(Type.String()),
      error: opt(Type.Unknown()),
      logprobs,
      message: Type.Object({
        ...texts,
        tool_calls: maybe(
          Type.Array(
            Type.Union([
              Type.Object({
                id: maybe(Type.String()),
                function: Type.Object({ name: Type.String(), arguments: callArguments }),
              }),
              Type.Object({
                id: maybe(Type.String()),
                custom: Type.Object({ name: Type.String(), input: Type.String() }),
              }),
            ]),
          ),
        ),
      }),
    }),
    { minItems: 1, maxItems: 128 },
  ),
  usage,
  service_tier: opt(Type.Unknown()),
})

export type OpenAiAnswer = Static<typeof OpenAiAnswer>

export const OpenAiChunk = Type.Object({
  id: maybe(Type.String({ maxLength: 256 })),
  created: opt(Type.Unknown()),
  model: maybe(Type.String({ maxLength: 256 })),
  system_fingerprint: maybe(Type.String({ maxLength: 128 })),
  choices: maybe(
    Type.Array(
      Type.Object({
        index,
        finish_reason: maybe(Type.String()),
        error: opt(Type.Unknown()),
        logprobs,
        delta: maybe(
          Type.Object({
            ...texts,
            tool_calls: maybe(
              Type.Array(
                Type.Object({
                  index,
                  id: maybe(Type.String()),
                  function: maybe(Type.Object({ name: maybe(Type.String()), arguments: callArguments })),
                  custom: maybe(Type.Object({ name: maybe(Type.String()), input: maybe(Type.String()) })),
                }),
              ),
            ),
          }),
        ),
      }),
      { maxItems: 128 },
    ),
  ),
  usage,
  service_tier: opt(Type.Unknown()),
})
export type OpenAiChunk = Static<typeof OpenAiChunk>

export const OpenAiError = Type.Object({
  error: Type.Object({
    message: opt(Type.String()),
    type: maybe(Type.String()),
    code: maybe(Type.Union([Type.String(), Type.Number()])),
  }),
})
export type OpenAiError = Static<typeof OpenAiError>

export const OpenAiModels = Type.Object({
  data: Type.Array(Type.Object({ id: Type.String({ maxLength: 256 }) }), { maxItems: 10_000 }),
})

export const OpenAiEmbeddings = Type.Object({
  model: opt(Type.String({ maxLength: 256 })),
  data: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0 }),
      embedding: Type.Union([Type.Array(Type.Number()), Type.String()]),
    }),
    { maxItems: 2048 },
  ),
  usage,
})
