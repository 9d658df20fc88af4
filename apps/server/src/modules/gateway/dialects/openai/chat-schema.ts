/** Known members of an OpenAI chat body. Everything else passes: vendors add members weekly. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf } from '../../../../kernel/schema/types.ts'

const opt = Type.Optional
const maybe = <S extends Type.TSchema>(schema: S) => opt(nullable(schema))
const text = Type.String({ maxLength: 10_485_760 })
const id = Type.String({ minLength: 1, maxLength: 256 })
const word = Type.String({ maxLength: 64 })
const toolName = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,128}$', maxLength: 128 })
const anyObject = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })

/** A word, or an unknown form of the member, which passes unchanged. */
const wordOrObject = Type.Union([word, anyObject])

const parts = {
  text: Type.Object({ type: Type.Literal('text'), text }),
  image_url: Type.Object({
    type: Type.Literal('image_url'),
    image_url: Type.Object({ url: text, detail: maybe(word) }),
  }),
  input_audio: Type.Object({
    type: Type.Literal('input_audio'),
    input_audio: Type.Object({ data: text, format: Type.String({ pattern: '^[a-z0-9.+-]{1,32}$', maxLength: 32 }) }),
  }),
  file: Type.Object({
    type: Type.Literal('file'),
    file: Type.Object({
      file_id: maybe(id),
      filename: maybe(Type.String({ maxLength: 1024 })),
      file_data: maybe(text),
    }),
  }),
}

/** A part of an unknown kind. */
const OtherPart = Type.Unsafe<{ readonly type: 'other' }>({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', maxLength: 64, not: { enum: Object.keys(parts) } } },
})

const ContentPart = Type.Union([parts.text, parts.image_url, parts.input_audio, parts.file, OtherPart])
export type OpenAiPart = Static<typeof ContentPart>

const ToolCall = Type.Object({
  id,
  type: opt(word),
  function: opt(Type.Object({ name: toolName, arguments: text })),
})

export const OpenAiMessage = Type.Object({
  role: oneOf('system', 'developer', 'user', 'assistant', 'tool'),
  content: maybe(Type.Union([text, Type.Array(ContentPart, { minItems: 1, maxItems: 500 })])),
  name: maybe(word),
  tool_calls: maybe(Type.Array(ToolCall, { maxItems: 128 })),
  tool_call_id: maybe(id),
})
export type OpenAiMessage = Static<typeof OpenAiMessage>

const Tool = Type.Object({
  type: word,
  function: opt(
    Type.Object({
      name: toolName,
      description: maybe(Type.String({ maxLength: 100_000 })),
      parameters: maybe(anyObject),
      strict: maybe(Type.Boolean()),
    }),
  ),
})
export type OpenAiTool = Static<typeof Tool>

const stopText = Type.String({ maxLength: 256 })
const maxTokens = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const penalty = Type.Number({ minimum: -2, maximum: 2 })

export const openAiMetadata = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  maxProperties: 32,
  propertyNames: { type: 'string', maxLength: 64 },
  additionalProperties: { type: 'string', maxLength: 512 },
})

export const modelName = Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' })

export const OpenAiChat = Type.Object({
  model: opt(modelName),
  messages: Type.Array(OpenAiMessage, { minItems: 1, maxItems: 2000 }),
  temperature: maybe(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: maybe(Type.Number({ minimum: 0, maximum: 1 })),
  max_tokens: maybe(maxTokens),
  max_completion_tokens: maybe(maxTokens),
  n: maybe(Type.Integer({ minimum: 1, maximum: 16 })),
  seed: maybe(Type.Integer({ minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 })),
  stop: maybe(Type.Union([stopText, Type.Array(stopText, { maxItems: 4 })])),
  frequency_penalty: maybe(penalty),
  presence_penalty: maybe(penalty),
  logprobs: maybe(Type.Boolean()),
  top_logprobs: maybe(Type.Integer({ minimum: 0, maximum: 20 })),
  parallel_tool_calls: maybe(Type.Boolean()),
  reasoning_effort: maybe(word),
  user: maybe(Type.String({ maxLength: 512 })),
  store: maybe(Type.Boolean()),
  service_tier: maybe(word),
  tools: maybe(Type.Array(Tool, { maxItems: 128 })),
  tool_choice: maybe(wordOrObject),
  response_format: maybe(anyObject),
  stream: maybe(Type.Boolean()),
  stream_options: maybe(Type.Object({ include_usage: maybe(Type.Boolean()) })),
  metadata: maybe(openAiMetadata),
})
export type OpenAiChat = Static<typeof OpenAiChat>
