/** Known members of an Anthropic messages body. Everything else passes: vendors add members weekly. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf } from '../../../../kernel/schema/types.ts'
import { modelName } from '../openai/chat-schema.ts'

const opt = Type.Optional
const maybe = <S extends Type.TSchema>(schema: S) => opt(nullable(schema))
const text = Type.String({ maxLength: 10_485_760 })
const id = Type.String({ minLength: 1, maxLength: 256 })
const word = Type.String({ maxLength: 64 })
const title = Type.String({ maxLength: 1024 })
const mime = Type.String({ pattern: '^[a-z0-9.+-]+/[a-z0-9.+-]+$', maxLength: 128 })
const toolName = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,128}$', maxLength: 128 })
const anyObject = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })

const cache_control = maybe(Type.Object({ type: word, ttl: maybe(word) }))

/** A block or source of an unknown kind. */
function otherThan(kinds: readonly string[]) {
  return Type.Unsafe<{ readonly type: 'other' }>({
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', maxLength: 128, not: { enum: [...kinds] } } },
  })
}

const sources = {
  base64: Type.Object({ type: Type.Literal('base64'), media_type: mime, data: text }),
  url: Type.Object({ type: Type.Literal('url'), url: text }),
  text: Type.Object({ type: Type.Literal('text'), media_type: maybe(mime), data: text }),
  file: Type.Object({ type: Type.Literal('file'), file_id: id }),
}
const Source = Type.Union([sources.base64, sources.url, sources.text, sources.file, otherThan(Object.keys(sources))])
export type AnthropicSource = Static<typeof Source>

export const TextBlock = Type.Object({ type: Type.Literal('text'), text, cache_control })
export type AnthropicText = Static<typeof TextBlock>

const contents = {
  text: TextBlock,
  image: Type.Object({ type: Type.Literal('image'), source: Source, cache_control }),
  document: Type.Object({ type: Type.Literal('document'), source: Source, title: maybe(title), cache_control }),
}
const ResultBlock = Type.Union([contents.text, contents.image, contents.document, otherThan(Object.keys(contents))])
export type AnthropicContent = Static<typeof ResultBlock>

const turns = {
  thinking: Type.Object({ type: Type.Literal('thinking'), thinking: text, signature: maybe(text) }),
  redacted_thinking: Type.Object({ type: Type.Literal('redacted_thinking'), data: text }),
  tool_use: Type.Object({ type: Type.Literal('tool_use'), id, name: toolName, input: anyObject, cache_control }),
  tool_result: Type.Object({
    type: Type.Literal('tool_result'),
    tool_use_id: id,
    content: maybe(Type.Union([text, Type.Array(ResultBlock, { maxItems: 500 })])),
    is_error: maybe(Type.Boolean()),
    cache_control,
  }),
}
export type AnthropicResult = Static<typeof turns.tool_result>

const Block = Type.Union([
  contents.text,
  contents.image,
  contents.document,
  turns.thinking,
  turns.redacted_thinking,
  turns.tool_use,
  turns.tool_result,
  otherThan([...Object.keys(contents), ...Object.keys(turns)]),
])
export type AnthropicBlock = Static<typeof Block>

const Message = Type.Object({
  role: oneOf('user', 'assistant', 'system'),
  content: Type.Union([text, Type.Array(Block, { minItems: 1, maxItems: 500 })]),
})
export type AnthropicMessage = Static<typeof Message>

const Tool = Type.Object({
  type: maybe(word),
  name: opt(toolName),
  description: maybe(Type.String({ maxLength: 100_000 })),
  input_schema: opt(anyObject),
  strict: maybe(Type.Boolean()),
  cache_control,
})
export type AnthropicTool = Static<typeof Tool>

const ToolChoice = Type.Object({
  type: word,
  name: maybe(toolName),
  disable_parallel_tool_use: maybe(Type.Boolean()),
})
export type AnthropicToolChoice = Static<typeof ToolChoice>

const Thinking = Type.Object({ type: word, budget_tokens: maybe(Type.Integer({ minimum: 1, maximum: 1_000_000 })) })
export type AnthropicThinking = Static<typeof Thinking>

const OutputConfig = Type.Object({ effort: maybe(word), format: maybe(anyObject) })
export type AnthropicOutputConfig = Static<typeof OutputConfig>

export const MessagesBody = Type.Object({
  model: opt(modelName),
  max_tokens: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  system: maybe(Type.Union([text, Type.Array(TextBlock, { maxItems: 500 })])),
  messages: Type.Array(Message, { minItems: 1, maxItems: 2000 }),
  temperature: maybe(Type.Number({ minimum: 0, maximum: 1 })),
  top_p: maybe(Type.Number({ minimum: 0, maximum: 1 })),
  top_k: maybe(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  stop_sequences: maybe(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 64 })),
  stream: maybe(Type.Boolean()),
  tools: maybe(Type.Array(Tool, { maxItems: 128 })),
  tool_choice: maybe(ToolChoice),
  thinking: maybe(Thinking),
  output_config: maybe(OutputConfig),
  service_tier: maybe(word),
  metadata: maybe(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      maxProperties: 32,
      propertyNames: { type: 'string', maxLength: 64 },
      additionalProperties: { type: ['string', 'null'], maxLength: 512 },
    }),
  ),
})
export type MessagesBody = Static<typeof MessagesBody>

/** Body of a request that counts the tokens of a call without making it. */
export const CountBody = Type.Object({
  ...MessagesBody.properties,
  max_tokens: opt(MessagesBody.properties.max_tokens),
})

const usageCount = Type.Integer({ minimum: 0 })

/** A complete answer; members known only to providers of this form are added to these. */
export const MessageAnswer = Type.Object({
  id: Type.String(),
  type: Type.Literal('message'),
  role: Type.Literal('assistant'),
  model: Type.String(),
  content: Type.Array(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', required: ['type'] })),
  stop_reason: nullable(Type.String()),
  stop_sequence: nullable(Type.String()),
  usage: Type.Object({ input_tokens: usageCount, output_tokens: usageCount }),
})
export type MessageAnswer = Static<typeof MessageAnswer>
