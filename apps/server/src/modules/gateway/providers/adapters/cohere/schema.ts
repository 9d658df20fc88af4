import Type, { type Static } from 'typebox'

const opt = Type.Optional
const maybe = <S extends Type.TSchema>(schema: S) => opt(Type.Union([schema, Type.Null()]))
const count = Type.Number({ minimum: 0, maximum: 1_000_000_000 })

/** Only used members are described; the vendor adds members freely. */
const Tokens = Type.Object({ input_tokens: maybe(count), output_tokens: maybe(count) })
const Usage = Type.Object({ billed_units: maybe(Tokens), tokens: maybe(Tokens), cached_tokens: maybe(count) })
export type CohereUsage = Static<typeof Usage>

const ToolCall = Type.Object({
  id: Type.String({ maxLength: 256 }),
  function: Type.Object({ name: Type.String(), arguments: maybe(Type.String()) }),
})

const Piece = Type.Object({ type: opt(Type.String()), text: maybe(Type.String()), thinking: maybe(Type.String()) })

export const CohereAnswer = Type.Object({
  id: opt(Type.String({ maxLength: 256 })),
  finish_reason: Type.String({ maxLength: 64 }),
  message: Type.Object({
    content: maybe(Type.Array(Piece)),
    tool_plan: maybe(Type.String()),
    tool_calls: maybe(Type.Array(ToolCall)),
  }),
  usage: maybe(Usage),
})

/** Events of a stream by their type; the shape differs with it. */
export const MessageStart = Type.Object({ id: opt(Type.String({ maxLength: 256 })) })
const delta = <T extends Type.TProperties>(message: T) => Type.Object({ message: Type.Object(message) })
export const ContentDelta = Type.Object({ delta: delta({ content: Piece }) })
export const PlanDelta = Type.Object({ delta: delta({ tool_plan: Type.String() }) })
const place = Type.Integer({ minimum: 0, maximum: 127 })
export const ToolCallStart = Type.Object({ index: place, delta: delta({ tool_calls: ToolCall }) })
export const ToolCallDelta = Type.Object({
  index: place,
  delta: delta({ tool_calls: Type.Object({ function: Type.Object({ arguments: Type.String() }) }) }),
})
export const MessageEnd = Type.Object({
  delta: Type.Object({
    finish_reason: Type.String({ maxLength: 64 }),
    error: maybe(Type.String()),
    usage: maybe(Usage),
  }),
})

export const CohereError = Type.Object({ message: Type.String() })

export const CohereModels = Type.Object({
  models: Type.Array(
    Type.Object({ name: Type.String({ maxLength: 256 }), endpoints: maybe(Type.Array(Type.String())) }),
    { maxItems: 10_000 },
  ),
})

export const CohereEmbeddings = Type.Object({
  embeddings: Type.Object({
    float: maybe(Type.Array(Type.Array(Type.Number()), { maxItems: 2048 })),
    base64: maybe(Type.Array(Type.String(), { maxItems: 2048 })),
  }),
  meta: maybe(Type.Object({ billed_units: maybe(Tokens) })),
})
