import Type, { type Static } from 'typebox'

const opt = Type.Optional
const maybe = <S extends Type.TSchema>(schema: S) => opt(Type.Union([schema, Type.Null()]))
const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const word = Type.String({ maxLength: 256 })
const place = Type.Integer({ minimum: 0, maximum: 4095 })

/** Only used members are described; the vendor adds members freely. */
const Usage = Type.Object({
  inputTokens: maybe(count),
  outputTokens: maybe(count),
  cacheReadInputTokens: maybe(count),
  cacheWriteInputTokens: maybe(count),
  cacheDetails: maybe(Type.Array(Type.Object({ ttl: maybe(word), inputTokens: maybe(count) }))),
})
export type BedrockUsage = Static<typeof Usage>

const Thought = Type.Object({
  reasoningText: maybe(Type.Object({ text: Type.String(), signature: maybe(Type.String()) })),
  redactedContent: maybe(Type.String()),
})

const Block = Type.Object({
  text: maybe(Type.String()),
  toolUse: maybe(Type.Object({ toolUseId: word, name: word, input: opt(Type.Unknown()) })),
  reasoningContent: maybe(Thought),
  citationsContent: maybe(Type.Object({ content: maybe(Type.Array(Type.Object({ text: maybe(Type.String()) }))) })),
})
export type BedrockBlock = Static<typeof Block>

export const BedrockAnswer = Type.Object({
  output: Type.Object({ message: Type.Object({ content: Type.Array(Block) }) }),
  stopReason: Type.String({ maxLength: 64 }),
  usage: maybe(Usage),
})

/** Events of a stream by their name; the shape differs with it. */
export const BlockStart = Type.Object({
  contentBlockIndex: place,
  start: maybe(Type.Object({ toolUse: maybe(Type.Object({ toolUseId: word, name: word })) })),
})
export const BlockDelta = Type.Object({
  contentBlockIndex: place,
  delta: Type.Object({
    text: maybe(Type.String()),
    toolUse: maybe(Type.Object({ input: Type.String() })),
    reasoningContent: maybe(
      Type.Object({
        text: maybe(Type.String()),
        signature: maybe(Type.String()),
        redactedContent: maybe(Type.String()),
      }),
    ),
  }),
})
export type BedrockDelta = Static<typeof BlockDelta>['delta']
export const BlockStop = Type.Object({ contentBlockIndex: place })
export const MessageStop = Type.Object({ stopReason: Type.String({ maxLength: 64 }) })
export const Metadata = Type.Object({ usage: maybe(Usage) })

export const BedrockModels = Type.Object({
  modelSummaries: maybe(
    Type.Array(
      Type.Object({
        modelId: word,
        outputModalities: maybe(Type.Array(Type.String())),
        inferenceTypesSupported: maybe(Type.Array(Type.String())),
      }),
      { maxItems: 10_000 },
    ),
  ),
})
