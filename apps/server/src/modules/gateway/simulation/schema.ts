import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { PolicyDocumentInput } from '../policy/document.ts'
import { ChatRequest, SecurityFacts, Violation } from '../schemas/chat-schema.ts'
import { decisions, RequestFilter, StepRecord } from '../schemas/request.ts'

const opt = Type.Optional
const Version = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const Count = Type.Integer({ minimum: 0 })
const Code = nullable(Type.String({ maxLength: 16 }))
const asked = ChatRequest.properties

export const mostSampled = 10_000
export const longestLimitMs = 30_000

export const NewSimulation = strictObject({
  version: opt(Version),
  document: opt(PolicyDocumentInput),
  input: opt(
    strictObject({
      messages: asked.messages,
      provider: asked.provider,
      model: asked.model,
      temperature: asked.temperature,
      max_tokens: asked.max_tokens,
      n: asked.n,
      tools: asked.tools,
      response_format: asked.response_format,
      stream: asked.stream,
      metadata: asked.metadata,
    }),
  ),
  sample: opt(
    strictObject({
      from: opt(Timestamp),
      to: opt(Timestamp),
      limit: opt(Type.Integer({ minimum: 1, maximum: mostSampled })),
      filter: opt(
        strictObject({
          provider: RequestFilter.properties.provider,
          model: RequestFilter.properties.model,
          status: RequestFilter.properties.status,
          decision: RequestFilter.properties.decision,
          code: RequestFilter.properties.code,
          pattern: RequestFilter.properties.pattern,
          entity: RequestFilter.properties.entity,
          tag: RequestFilter.properties.tag,
          offline: RequestFilter.properties.offline,
        }),
      ),
    }),
  ),
  compare_to: opt(Version),
  time_limit_ms: opt(Type.Integer({ minimum: 100, maximum: longestLimitMs, description: 'Default 10,000.' })),
})
export type NewSimulation = Static<typeof NewSimulation>

export const Summary = strictObject({
  matched: Type.Integer({ minimum: 0, description: 'Calls of the log that were asked for.' }),
  evaluated: Count,
  not_kept: Type.Integer({ minimum: 0, description: 'Calls whose content was not kept.' }),
  truncated: Type.Boolean({ description: 'The time was over before all were looked at.' }),
  would_block: Count,
  would_redact: Count,
  would_flag: Count,
  newly_blocked: Count,
  newly_allowed: Count,
  by_rule: Type.Array(
    strictObject({
      rule_id: Violation.properties.rule_id,
      step: Violation.properties.step,
      action: Violation.properties.action,
      calls: Type.Integer({ minimum: 1 }),
    }),
    { maxItems: 100 },
  ),
})
export type Summary = Static<typeof Summary>

export const Example = strictObject({
  request_id: nullable(Uuid),
  before: oneOf(...decisions),
  after: oneOf(...decisions),
  error_code: Code,
  rules: Type.Array(Violation.properties.rule_id, { maxItems: 20 }),
})
export type Example = Static<typeof Example>

export const Simulation = resource({
  policy_id: Uuid,
  version: nullable(Version),
  sha256: Type.String({ maxLength: 64 }),
  compare_to: nullable(Version),
  status: Type.Literal('completed'),
  /** Of the messages that were given; null for a sample. */
  decision: nullable(oneOf(...decisions)),
  error_code: Code,
  steps: Type.Array(StepRecord),
  security: nullable(SecurityFacts),
  summary: Summary,
  examples: Type.Array(Example, { maxItems: 20 }),
  took_ms: Type.Number({ minimum: 0 }),
})
export type Simulation = Static<typeof Simulation>

export const SimulationRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  policy_id: Uuid,
  policy_version: nullable(Version),
  sha256: Type.String({ maxLength: 64 }),
  summary: Summary,
  user_id: Uuid,
  created_at: Timestamp,
})
export type SimulationRow = Static<typeof SimulationRow>
