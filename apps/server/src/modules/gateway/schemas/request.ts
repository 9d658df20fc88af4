import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { amountPattern } from '../prices/amounts.ts'
import { cacheStatuses } from '../words/cache-status.ts'
import { dialects, operations } from '../words/operations.ts'
import { SecurityFacts, UsageFacts, Violation } from './chat-schema.ts'
import { Explanation } from './explanation.ts'
import { Feedback } from './feedback.ts'
import { LeftOut } from './left-out.ts'
import { LoggedCost } from './logged-cost.ts'
import { MaxTokens } from './max-tokens.ts'
import { Opinion } from './opinion.ts'

const opt = Type.Optional
const Name = Type.String({ maxLength: 256 })
const Ms = Type.Number({ minimum: 0 })

export const decisions = ['allowed', 'flagged', 'redacted', 'blocked'] as const
export type Decision = (typeof decisions)[number]
export const requestStatuses = ['in_progress', 'completed', 'blocked', 'failed', 'incomplete', 'client_closed'] as const
export type RequestStatus = (typeof requestStatuses)[number]

export const StepRecord = strictObject({
  n: Type.Integer({ minimum: 1, maximum: 14 }),
  name: Type.String({ maxLength: 32 }),
  decision: oneOf('allow', 'flag', 'redact', 'block'),
  ms: Ms,
  budget_ms: Ms,
  failed: Type.Boolean(),
  findings: Type.Integer({ minimum: 0 }),
  max_tokens: opt(MaxTokens),
  approximate: opt(
    Type.Integer({ minimum: 1, description: 'Placeholders restored though the model had changed their form.' }),
  ),
  classifiers: opt(Type.Array(Opinion, { description: 'Outside classifiers that the step asked' })),
  left_out: opt(
    Type.Array(LeftOut, {
      description:
        'Targets that were not asked: they do not take a field of the call, it is longer than they read, or they rest after failures.',
    }),
  ),
})
export type StepRecord = Static<typeof StepRecord>

export const Attempt = strictObject({
  provider: Name,
  model: Name,
  key_id: nullable(Name),
  ok: Type.Boolean(),
  status: nullable(Type.Integer()),
  reason: nullable(Type.String({ maxLength: 300 })),
  error_code: opt(
    Type.String({ maxLength: 16, description: 'Of an attempt whose address the network guard refused: `GW-023`.' }),
  ),
  ms: Ms,
  answer: opt(
    strictObject(
      { sha256: Type.String({ maxLength: 64 }), beginning: Type.String({ maxLength: 200 }) },
      { description: 'Of an answer that could not be used, without what looks like a key; for `gateway:admin`.' },
    ),
  ),
})
export type Attempt = Static<typeof Attempt>

export const PolicySource = strictObject({
  id: Uuid,
  version: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ maxLength: 64 }),
})
export type PolicySource = Static<typeof PolicySource>

export const Timings = strictObject({
  pipeline_ms: Ms,
  upstream_ms: Ms,
  ttft_ms: nullable(Ms),
  total_ms: Ms,
  queue_ms: opt(
    Type.Number({ minimum: 0, description: 'Waited between attempts, or for the answer of an equal call.' }),
  ),
  saved_ms: opt(Type.Number({ minimum: 0, description: 'What the model took for an answer out of the cache.' })),
})
export type Timings = Static<typeof Timings>

const Counts = Type.Record(Type.String({ maxLength: 64 }), Type.Integer({ minimum: 0 }))

/** Facts about a call that are known before it has an outcome. */
export const begun = {
  request_id: Type.String({ maxLength: 64 }),
  trace_id: nullable(Type.String({ maxLength: 32 })),
  user_id: Uuid,
  key_id: nullable(Type.String({ maxLength: 64 })),
  agent_id: nullable(Type.String({ maxLength: 64 })),
  session_id: nullable(Type.String({ maxLength: 64, description: 'Of a person who signed in; keys have none.' })),
  dialect: oneOf(...dialects),
  operation: oneOf(...operations),
  requested_provider: nullable(
    Type.String({ maxLength: 256, description: 'Whom the caller named; `provider` is who answered, or would have.' }),
  ),
  requested_model: nullable(Name),
  route: nullable(Name),
  provider: nullable(Name),
  model: nullable(Name),
  policies: Type.Array(PolicySource),
  policy_mode: oneOf('enforce', 'monitor', 'off'),
  stream: Type.Boolean(),
  offline: Type.Boolean(),
  decision: Type.Unsafe<Decision>({
    ...oneOf(...decisions),
    description:
      'Of a call that still runs, and of one whose process died, what was decided until its provider was asked.',
  }),
  tags: Type.Array(Type.String({ maxLength: 64 })),
  parent_request_id: nullable(Uuid),
}

const logged = {
  ...begun,
  answered_model: nullable(
    Type.String({
      maxLength: 256,
      description: "Which model answered, in its provider's words; `model` is the one that was asked.",
    }),
  ),
  status: oneOf(...requestStatuses),
  error_code: nullable(Type.String({ maxLength: 16 })),
  blocked_step: nullable(Type.String({ maxLength: 32 })),
  usage: nullable(UsageFacts),
  cost: LoggedCost,
  security: SecurityFacts,
  patterns: Type.Array(Type.String({ maxLength: 64 })),
  entities: Counts,
  steps: Type.Array(StepRecord, {
    description:
      'What the steps did, those of a stream until it had left. Step 14 is told up to the moment its record is handed to the database: how long the wait for the commit was cannot stand in what is committed.',
  }),
  timings: Timings,
  attempts: Type.Array(Attempt),
  cache: oneOf(...cacheStatuses),
  fail_open: Type.Array(Type.String({ maxLength: 32 })),
  retention: oneOf('metadata', 'redacted', 'full'),
  prompt_sha256: nullable(Type.String({ maxLength: 64 })),
  recovered: Type.Boolean(),
  audit_id: nullable(Uuid),
}

export const RequestSummary = resource(logged)
export type RequestSummary = Static<typeof RequestSummary>

export const Payload = strictObject({
  messages: Type.Array(
    strictObject({
      role: oneOf('system', 'user', 'assistant', 'tool'),
      texts: Type.Array(Type.String()),
      tool_calls: Type.Array(strictObject({ name: Name, arguments: Type.String() })),
    }),
  ),
  answer: Type.Array(
    strictObject({
      index: Type.Integer(),
      text: Type.String(),
      tool_calls: Type.Array(strictObject({ name: Name, arguments: Type.String() })),
    }),
  ),
})
export type Payload = Static<typeof Payload>

const ExplainedSecurity = strictObject({
  ...SecurityFacts.properties,
  explain: nullable(Explanation),
})

export const LoggedRequest = resource({
  ...logged,
  security: ExplainedSecurity,
  payload: nullable(Payload),
  original: opt(
    Type.Unsafe<Payload>({ ...Payload, description: 'What the caller sent and got; only when it was asked for.' }),
  ),
  payload_expires_at: nullable(Timestamp),
  feedback: Type.Array(Feedback),
  audit: nullable(strictObject({ seq: Type.Integer({ minimum: 1 }), hash: Type.String({ maxLength: 64 }) })),
  verification: opt(
    strictObject({
      ok: Type.Boolean(),
      sealed: Type.Boolean(),
      seq: nullable(Type.Integer()),
      hash: nullable(Type.String({ maxLength: 64 })),
    }),
  ),
})
export type LoggedRequest = Static<typeof LoggedRequest>

export const RequestFilter = strictObject({
  from: opt(Timestamp),
  to: opt(Timestamp),
  provider: opt(Name),
  model: opt(Name),
  status: opt(oneOf(...requestStatuses)),
  decision: opt(oneOf(...decisions)),
  code: opt(Type.String({ maxLength: 16 })),
  pattern: opt(Type.String({ maxLength: 64 })),
  entity: opt(Type.String({ maxLength: 64 })),
  user_id: opt(Uuid),
  key_id: opt(Type.String({ maxLength: 64 })),
  agent_id: opt(Type.String({ maxLength: 64 })),
  session_id: opt(Type.String({ maxLength: 64 })),
  tag: opt(Type.String({ minLength: 1, maxLength: 64 })),
  q: opt(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Words of the content as it was kept; "a phrase", or, -without.',
    }),
  ),
  min_cost: opt(Type.String({ pattern: amountPattern, maxLength: 22, description: 'Decimal.' })),
  min_latency_ms: opt(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
  offline: opt(Type.Boolean()),
  include: opt(oneOf('rule_precision')),
})
export type RequestFilter = Static<typeof RequestFilter>

export const RequestQuery = strictObject({
  verify: opt(Type.Boolean()),
  original: opt(Type.Boolean({ description: 'Needs `gateway:admin` and a fresh proof of identity.' })),
})

const { severity: _severity, location: _location, ...kind } = Violation.properties
/** Effect of a rule in a step, wherever it matched. */
export const FoundKind = strictObject(kind)
export type FoundKind = Static<typeof FoundKind>

export const RequestRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  ...logged,
  explanation: nullable(Explanation),
  /** Kinds of findings for which `security.policy_violations` had no room. */
  unshown: nullable(Type.Array(FoundKind)),
  created_at: Timestamp,
  finished_at: Timestamp,
  xid: opt(Type.String()),
})
export type RequestRow = Static<typeof RequestRow>
