import Type, { type Static } from 'typebox'

const opt = Type.Optional
const maybe = <S extends Type.TSchema>(schema: S) => opt(Type.Union([schema, Type.Null()]))
const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

/** Only used members are described; the vendor adds members freely. */
const Usage = Type.Object({
  input_tokens: maybe(count),
  output_tokens: maybe(count),
  cache_creation_input_tokens: maybe(count),
  cache_read_input_tokens: maybe(count),
  cache_creation: maybe(
    Type.Object({ ephemeral_5m_input_tokens: maybe(count), ephemeral_1h_input_tokens: maybe(count) }),
  ),
  output_tokens_details: maybe(Type.Object({ thinking_tokens: maybe(count) })),
  service_tier: opt(Type.Unknown()),
})
export type AnthropicUsage = Static<typeof Usage>

const Block = Type.Object({ type: Type.String({ maxLength: 128 }) })
export type AnthropicBlock = Readonly<Record<string, unknown>> & { readonly type: string }

/** Blocks and deltas that are understood; one of these types in another form is no answer of this vendor. */
export const TextBlock = Type.Object({ type: Type.Literal('text'), text: Type.String() })
export const Citations = Type.Object({ citations: Type.Array(Type.Unknown()) })
export const ThinkingBlock = Type.Object({
  type: Type.Literal('thinking'),
  thinking: Type.String(),
  signature: maybe(Type.String()),
})
export const RedactedThinkingBlock = Type.Object({ type: Type.Literal('redacted_thinking'), data: Type.String() })
export const ToolUseBlock = Type.Object({
  type: Type.Literal('tool_use'),
  id: Type.String(),
  name: Type.String(),
  input: Type.Unknown(),
})

export const TextDelta = Type.Object({ type: Type.Literal('text_delta'), text: Type.String() })
export const ThinkingDelta = Type.Object({ type: Type.Literal('thinking_delta'), thinking: Type.String() })
export const SignatureDelta = Type.Object({ type: Type.Literal('signature_delta'), signature: Type.String() })
export const CitationsDelta = Type.Object({ type: Type.Literal('citations_delta'), citation: Type.Unknown() })
export const InputDelta = Type.Object({ type: Type.Literal('input_json_delta'), partial_json: Type.String() })

const head = { id: opt(Type.String({ maxLength: 256 })), model: opt(Type.String({ maxLength: 256 })) }

const end = { stop_reason: maybe(Type.String({ maxLength: 128 })), stop_sequence: maybe(Type.String()) }
export type AnthropicEnd = { readonly stop_reason?: string | null; readonly stop_sequence?: string | null }

export const AnthropicMessage = Type.Object({ ...head, ...end, content: Type.Array(Block), usage: maybe(Usage) })
export type AnthropicMessage = Static<typeof AnthropicMessage>

const index = Type.Integer({ minimum: 0, maximum: 100_000 })

export const MessageStart = Type.Object({
  type: Type.Literal('message_start'),
  message: Type.Object({ ...head, usage: maybe(Usage) }),
})
export const BlockStart = Type.Object({ type: Type.Literal('content_block_start'), index, content_block: Block })
export const BlockDelta = Type.Object({ type: Type.Literal('content_block_delta'), index, delta: Block })
export const BlockStop = Type.Object({ type: Type.Literal('content_block_stop'), index })
export const MessageDelta = Type.Object({
  type: Type.Literal('message_delta'),
  delta: Type.Object(end),
  usage: maybe(Usage),
})

export const AnthropicModels = Type.Object({
  data: Type.Array(Type.Object({ id: Type.String({ maxLength: 256 }) }), { maxItems: 10_000 }),
})
