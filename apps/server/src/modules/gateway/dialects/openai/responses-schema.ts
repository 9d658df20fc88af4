/** Known members of an OpenAI Responses body. Everything else passes to a provider of the same form. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf } from '../../../../kernel/schema/types.ts'
import { modelName, openAiMetadata } from './chat-schema.ts'

const opt = Type.Optional
const maybe = <S extends Type.TSchema>(schema: S) => opt(nullable(schema))
const text = Type.String({ maxLength: 10_485_760 })
const id = Type.String({ minLength: 1, maxLength: 256 })
const word = Type.String({ maxLength: 64 })
const toolName = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,128}$', maxLength: 128 })
const anyObject = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })

/** Known kinds are checked against their own schema when they are read. */
const Piece = Type.Unsafe<Readonly<Record<string, unknown>> & { readonly type: string }>({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', maxLength: 64 } },
})
export type ResponsesPiece = Static<typeof Piece>

export const Message = Type.Object({
  type: opt(Type.Literal('message')),
  role: oneOf('system', 'developer', 'user', 'assistant'),
  content: Type.Union([text, Type.Array(Piece, { maxItems: 500 })]),
})

export const FunctionCall = Type.Object({
  type: Type.Literal('function_call'),
  call_id: id,
  name: toolName,
  arguments: text,
})

export const FunctionCallOutput = Type.Object({
  type: Type.Literal('function_call_output'),
  call_id: id,
  output: Type.Union([text, Type.Array(Piece, { minItems: 1, maxItems: 500 })]),
})

const ReasoningText = Type.Object({ type: word, text })

export const ReasoningItem = Type.Object({
  type: Type.Literal('reasoning'),
  summary: maybe(Type.Array(ReasoningText, { maxItems: 500 })),
  content: maybe(Type.Array(ReasoningText, { maxItems: 500 })),
  encrypted_content: maybe(text),
})

export const Parts = {
  text: Type.Object({ type: oneOf('input_text', 'output_text'), text }),
  image: Type.Object({ type: Type.Literal('input_image'), image_url: text, detail: maybe(word) }),
  file: Type.Object({
    type: Type.Literal('input_file'),
    file_id: maybe(id),
    filename: maybe(Type.String({ maxLength: 1024 })),
    file_data: maybe(text),
    file_url: maybe(text),
  }),
}

/** A message needs no type; every other item states its type. */
const Item = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  properties: { type: { type: 'string', maxLength: 64 } },
  anyOf: [{ required: ['type'] }, { required: ['role'] }],
})

const Tool = Type.Object({
  type: word,
  name: opt(toolName),
  description: maybe(Type.String({ maxLength: 100_000 })),
  parameters: maybe(anyObject),
  strict: maybe(Type.Boolean()),
})
export type ResponsesTool = Static<typeof Tool>

export const OpenAiResponses = Type.Object({
  model: opt(modelName),
  input: Type.Union([text, Type.Array(Item, { minItems: 1, maxItems: 2000 })]),
  instructions: maybe(text),
  previous_response_id: maybe(id),
  max_output_tokens: maybe(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  temperature: maybe(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: maybe(Type.Number({ minimum: 0, maximum: 1 })),
  top_logprobs: maybe(Type.Integer({ minimum: 0, maximum: 20 })),
  parallel_tool_calls: maybe(Type.Boolean()),
  tools: maybe(Type.Array(Tool, { maxItems: 128 })),
  tool_choice: maybe(Type.Union([word, anyObject])),
  text: maybe(Type.Object({ format: maybe(anyObject) })),
  reasoning: maybe(Type.Object({ effort: maybe(word) })),
  store: maybe(Type.Boolean()),
  background: maybe(Type.Boolean()),
  truncation: maybe(word),
  service_tier: maybe(word),
  user: maybe(Type.String({ maxLength: 512 })),
  metadata: maybe(openAiMetadata),
  stream: maybe(Type.Boolean()),
  include: maybe(Type.Array(word, { maxItems: 32 })),
})
export type OpenAiResponses = Static<typeof OpenAiResponses>
