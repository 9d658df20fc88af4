/**
 * The policy document: what it may say and what it means where it says nothing. Every field here is enforced by a step;
 * a field no step enforces is not accepted. Tested in document.test.ts.
 */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject } from '../../../kernel/http/schema.ts'

const actions = ['allow', 'flag', 'redact', 'block'] as const
export type Action = (typeof actions)[number]

const opt = Type.Optional
const action = oneOf(...actions)
const probability = Type.Number({ minimum: 0, maximum: 1 })
const globs = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x20-\\x7e]+$' }), { maxItems: 500 })
const ruleId = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$', maxLength: 63 })
const failure = oneOf('closed', 'open')
const rule = strictObject({
  action: opt(action),
  min_confidence: opt(probability),
  restore: opt(Type.Boolean()),
})

/** What a rule can be written for: the types the detectors name, and all kinds of secrets as one. */
const entityRules = {
  EMAIL: opt(rule),
  CREDIT_CARD: opt(rule),
  PHONE: opt(rule),
  IBAN: opt(rule),
  BIC: opt(rule),
  PERSON: opt(rule),
  ADDRESS: opt(rule),
  DATE_OF_BIRTH: opt(rule),
  NATIONAL_ID: opt(rule),
  US_SSN: opt(rule),
  US_EIN: opt(rule),
  UK_NINO: opt(rule),
  TAX_ID: opt(rule),
  PASSPORT: opt(rule),
  DRIVING_LICENSE: opt(rule),
  MEDICAL_RECORD: opt(rule),
  HEALTH_INSURANCE: opt(rule),
  LICENSE_PLATE: opt(rule),
  IP_ADDRESS: opt(rule),
  MAC_ADDRESS: opt(rule),
  IMEI: opt(rule),
  VIN: opt(rule),
  CRYPTO: opt(rule),
  COORDINATES: opt(rule),
  URL_CREDENTIALS: opt(rule),
  SECRET: opt(rule),
}
export type EntityType = keyof typeof entityRules
export const entityTypes = Object.keys(entityRules) as readonly EntityType[]

const sections = {
  schema_version: Type.Literal(1),
  mode: oneOf('enforce', 'monitor', 'off'),
  models: strictObject({
    allow: opt(globs),
    deny: opt(globs),
    default: opt(nullable(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' }))),
    max_output_tokens: opt(nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }))),
    max_temperature: opt(Type.Number({ minimum: 0, maximum: 2 })),
    allow_streaming: opt(Type.Boolean()),
    max_choices: opt(Type.Integer({ minimum: 1, maximum: 16 })),
  }),
  providers: strictObject({ allow: opt(globs), deny: opt(globs) }),
  normalization: strictObject({
    strip_invisible: opt(Type.Boolean()),
    max_inspect_bytes: opt(Type.Integer({ minimum: 1024, maximum: 10_485_760 })),
    on_oversize: opt(oneOf('flag', 'block')),
    uninspected_parts: opt(oneOf('allow', 'flag', 'block')),
  }),
  injection: strictObject({
    enabled: opt(Type.Boolean()),
    flag_at: opt(probability),
    block_at: opt(probability),
    action_user: opt(oneOf('allow', 'flag', 'block')),
    action_tool_result: opt(action),
    action_system: opt(oneOf('allow', 'flag', 'block')),
  }),
  sensitive_data: strictObject({
    enabled: opt(Type.Boolean()),
    default_action: opt(action),
    min_confidence: opt(probability),
    restore: opt(Type.Boolean()),
    roles: opt(Type.Array(oneOf('system', 'user', 'assistant', 'tool'), { maxItems: 4 })),
    entities: opt(strictObject(entityRules)),
  }),
  content: strictObject({
    denied_terms: opt(
      Type.Array(
        strictObject({
          id: ruleId,
          terms: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100 }),
          match: oneOf('word', 'substring'),
          action: oneOf('flag', 'block'),
        }),
        { maxItems: 50 },
      ),
    ),
    denied_patterns: opt(
      Type.Array(
        strictObject({
          id: ruleId,
          pattern: Type.String({ minLength: 1, maxLength: 512 }),
          action: oneOf('flag', 'block'),
        }),
        { maxItems: 50 },
      ),
    ),
    tools: opt(
      strictObject({ allow: opt(globs), deny: opt(globs), max_tools: opt(Type.Integer({ minimum: 0, maximum: 128 })) }),
    ),
    required_metadata: opt(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 16 })),
  }),
  output: strictObject({
    enabled: opt(Type.Boolean()),
    sensitive_data: opt(action),
    secrets: opt(action),
  }),
  streaming: strictObject({ on_block: opt(oneOf('finish', 'error')) }),
  limits: Type.Array(
    strictObject({
      id: ruleId,
      per: oneOf('tenant', 'user', 'key'),
      unit: oneOf('requests', 'concurrent'),
      max: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
      window_seconds: opt(Type.Integer({ minimum: 1, maximum: 86_400, description: 'Required for requests.' })),
    }),
    { maxItems: 32 },
  ),
  cache: strictObject({
    mode: opt(oneOf('exact', 'off')),
    scope: opt(oneOf('tenant', 'role', 'user', 'key')),
    ttl_seconds: opt(Type.Integer({ minimum: 1, maximum: 2_592_000 })),
    max_temperature: opt(Type.Number({ minimum: 0, maximum: 2 })),
  }),
  upstream: strictObject({
    max_attempts: opt(Type.Integer({ minimum: 1, maximum: 10 })),
    total_timeout_ms: opt(Type.Integer({ minimum: 1000, maximum: 3_600_000 })),
  }),
  retention: strictObject({ level: opt(oneOf('redacted', 'metadata')) }),
  failure: strictObject({
    rate_and_budget: opt(failure),
    normalization: opt(failure),
    injection_detection: opt(failure),
    sensitive_data: opt(failure),
    content_policy: opt(failure),
    output_inspection: opt(failure),
  }),
  reporting: strictObject({
    server_timing: opt(Type.Boolean()),
    expose_score: opt(Type.Boolean()),
    block_message: opt(nullable(Type.String({ minLength: 1, maxLength: 300 }))),
  }),
}

export const PolicyDocumentInput = strictObject({
  schema_version: opt(sections.schema_version),
  mode: opt(sections.mode),
  models: opt(sections.models),
  providers: opt(sections.providers),
  normalization: opt(sections.normalization),
  injection: opt(sections.injection),
  sensitive_data: opt(sections.sensitive_data),
  content: opt(sections.content),
  output: opt(sections.output),
  streaming: opt(sections.streaming),
  limits: opt(sections.limits),
  cache: opt(sections.cache),
  upstream: opt(sections.upstream),
  retention: opt(sections.retention),
  failure: opt(sections.failure),
  reporting: opt(sections.reporting),
})
export type PolicyDocumentInput = Static<typeof PolicyDocumentInput>

type Filled<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> }
type Section<K extends keyof PolicyDocumentInput> = Filled<Exclude<PolicyDocumentInput[K], undefined>>

/** A document with every default written out; this is what is stored and hashed. */
export interface PolicyDocument {
  readonly schema_version: 1
  readonly mode: 'enforce' | 'monitor' | 'off'
  readonly models: Section<'models'>
  readonly providers: Section<'providers'>
  readonly normalization: Section<'normalization'>
  readonly injection: Section<'injection'>
  readonly sensitive_data: Section<'sensitive_data'>
  readonly content: Omit<Section<'content'>, 'tools'> & { readonly tools: Filled<Section<'content'>['tools']> }
  readonly output: Section<'output'>
  readonly streaming: Section<'streaming'>
  readonly limits: Exclude<PolicyDocumentInput['limits'], undefined>
  readonly cache: Section<'cache'>
  readonly upstream: Section<'upstream'>
  readonly retention: Section<'retention'>
  readonly failure: Section<'failure'>
  readonly reporting: Section<'reporting'>
}

export type FailureStep = keyof PolicyDocument['failure']
