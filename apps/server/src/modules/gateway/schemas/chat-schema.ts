import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { finishReasons } from '../call/finish-reason.ts'
import { cacheStatuses } from '../words/cache-status.ts'

const opt = Type.Optional
const text = Type.String({ maxLength: 10_485_760 })
const toolName = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,128}$', maxLength: 128 })
const printable = { maxLength: 256, pattern: '^[\\x21-\\x7e]+$' }
const anyJsonObject = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description: 'A JSON Schema.' })

const ContentPart = Type.Union([
  strictObject({ type: Type.Literal('text'), text }),
  strictObject({
    type: Type.Literal('image_url'),
    image_url: strictObject({ url: text, detail: opt(oneOf('auto', 'low', 'high')) }),
  }),
])

const ToolCallBody = strictObject({
  id: Type.String({ minLength: 1, maxLength: 256 }),
  type: Type.Literal('function'),
  function: strictObject({ name: toolName, arguments: text }),
})

export const ChatMessage = strictObject({
  role: oneOf('system', 'developer', 'user', 'assistant', 'tool'),
  content: opt(nullable(Type.Union([text, Type.Array(ContentPart, { minItems: 1, maxItems: 500 })]))),
  name: opt(Type.String({ maxLength: 64 })),
  tool_calls: opt(Type.Array(ToolCallBody, { minItems: 1, maxItems: 128 })),
  tool_call_id: opt(Type.String({ minLength: 1, maxLength: 256 })),
})
export type ChatMessage = Static<typeof ChatMessage>

export const ChatRequest = strictObject({
  provider: opt(Type.String({ ...printable, maxLength: 63, description: 'Name of a provider.' })),
  model: opt(Type.String({ ...printable, description: 'A model, or `provider/model`.' })),
  messages: Type.Array(ChatMessage, { minItems: 1, maxItems: 2000 }),
  temperature: opt(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: opt(Type.Number({ minimum: 0, maximum: 1 })),
  max_tokens: opt(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  n: opt(Type.Integer({ minimum: 1, maximum: 16 })),
  seed: opt(Type.Integer({ minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 })),
  stop: opt(
    Type.Union([Type.String({ maxLength: 256 }), Type.Array(Type.String({ maxLength: 256 }), { maxItems: 4 })]),
  ),
  tools: opt(
    Type.Array(
      strictObject({
        type: Type.Literal('function'),
        function: strictObject({
          name: toolName,
          description: opt(Type.String({ maxLength: 100_000 })),
          parameters: opt(anyJsonObject),
          strict: opt(Type.Boolean()),
        }),
      }),
      { maxItems: 128 },
    ),
  ),
  tool_choice: opt(
    Type.Union([
      oneOf('auto', 'none', 'required'),
      strictObject({ type: Type.Literal('function'), function: strictObject({ name: toolName }) }),
    ]),
  ),
  response_format: opt(
    Type.Union([
      strictObject({ type: oneOf('text', 'json_object') }),
      strictObject({
        type: Type.Literal('json_schema'),
        json_schema: strictObject({
          name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', maxLength: 64 }),
          schema: anyJsonObject,
          strict: opt(Type.Boolean()),
        }),
      }),
    ]),
  ),
  stream: opt(Type.Boolean()),
  policy_id: opt(
    Type.String({ minLength: 1, maxLength: 63, description: 'Id or name of a policy; it can only tighten.' }),
  ),
  agent_id: opt(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The agent of the credential, which is the service account whose key it is; any other is refused.',
    }),
  ),
  metadata: opt(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      maxProperties: 32,
      propertyNames: { type: 'string', maxLength: 64 },
      additionalProperties: { type: 'string', maxLength: 512 },
    }),
  ),
  cache: opt(
    strictObject({
      mode: opt(oneOf('off', 'refresh', 'exact')),
      max_age_s: opt(Type.Integer({ minimum: 0, maximum: 2_592_000 })),
    }),
  ),
  retention: opt(
    Type.Unsafe<'metadata' | 'redacted'>({
      ...oneOf('metadata', 'redacted'),
      description: 'Keeps less of the content than the policy would; never more.',
    }),
  ),
  timeout_ms: opt(Type.Integer({ minimum: 1000, maximum: 3_600_000 })),
})
export type ChatRequest = Static<typeof ChatRequest>

export const Violation = strictObject({
  rule_id: Type.String({ maxLength: 128 }),
  step: Type.String({ maxLength: 32 }),
  category: Type.String({ maxLength: 64 }),
  action: oneOf('allow', 'flag', 'redact', 'block', 'would_block'),
  severity: oneOf('low', 'medium', 'high', 'critical'),
  count: Type.Integer({ minimum: 1 }),
  location: Type.String({ maxLength: 256, description: 'JSON Pointer; never the matched text.' }),
})
export type Violation = Static<typeof Violation>

export const SecurityFacts = strictObject({
  injection_score: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Null when a policy hides it.' })),
  pii_detected: Type.Boolean(),
  policy_violations: Type.Array(Violation, {
    maxItems: 100,
    description:
      'At most a hundred, and as far as they reach one for each rule in each step; what is beyond them is counted all the same.',
  }),
  pipeline_latency_ms: Type.Number({ minimum: 0 }),
})
export type SecurityFacts = Static<typeof SecurityFacts>

export const UsageFacts = strictObject({
  prompt_tokens: Type.Integer({ minimum: 0 }),
  completion_tokens: Type.Integer({ minimum: 0 }),
  total_tokens: Type.Integer({ minimum: 0 }),
  cached_tokens: Type.Integer({ minimum: 0 }),
  reasoning_tokens: Type.Integer({ minimum: 0 }),
  cache_write_tokens: opt(Type.Integer({ minimum: 0, description: 'Of the prompt, kept by the provider for later.' })),
  usage_source: oneOf('upstream', 'estimated'),
})
export type UsageFacts = Static<typeof UsageFacts>

/** `estimated`: a price times tokens that no provider counted. `free`: there was nothing to pay for. */
export const costStatuses = ['priced', 'estimated', 'unpriced', 'free'] as const

export const Cost = strictObject({
  amount: nullable(Type.String({ maxLength: 40, description: 'Decimal; null when the price is not known.' })),
  currency: nullable(Type.String({ maxLength: 3 })),
  status: oneOf(...costStatuses),
})

export const ChatCompletion = strictObject({
  id: Uuid,
  object: Type.Literal('chat.completion'),
  created: Type.Integer({ description: 'Unix seconds.' }),
  model: Type.String({ maxLength: 256 }),
  provider: Type.String({ maxLength: 63 }),
  system_fingerprint: nullable(Type.String({ maxLength: 128 })),
  choices: Type.Array(
    strictObject({
      index: Type.Integer({ minimum: 0 }),
      message: strictObject({
        role: Type.Literal('assistant'),
        content: nullable(text),
        refusal: nullable(text),
        reasoning_content: opt(text),
        tool_calls: opt(Type.Array(ToolCallBody)),
      }),
      finish_reason: oneOf(...finishReasons),
    }),
  ),
  usage: UsageFacts,
  cost: Cost,
  cache: oneOf(...cacheStatuses),
  mode: oneOf('enforce', 'monitor', 'off'),
  security: SecurityFacts,
})
export type ChatCompletion = Static<typeof ChatCompletion>
