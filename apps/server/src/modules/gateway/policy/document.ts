/**
 * The policy document: its settings and their defaults. Every field here is enforced by a step; a field no step
 * enforces is not accepted. Tested in document.test.ts.
 */

import Type, { type Static } from 'typebox'
import { Region } from '../../../kernel/base/regions.ts'
import { nullable, oneOf, strictObject } from '../../../kernel/schema/types.ts'
import { cacheModes, cacheScopes, Seconds, Threshold } from '../schemas/cache.ts'
import { dialects, operations } from '../words/operations.ts'
import { type Classification, classifications, type Filled, globs, opt, type Side } from '../words/policy-words.ts'
import { type ConditionRule, ConditionRules, Output, Streaming } from './sections/answer.ts'
import { Content, type DeniedPattern, type DeniedTerm, type Topic } from './sections/content.ts'
import { Injection, Normalization, SensitiveData } from './sections/detection.ts'
import { BudgetRules, Limits } from './sections/spending.ts'

export type { Action } from '../words/policy-words.ts'
export { type EntityType, entityTypes } from './sections/entities.ts'

const failure = oneOf('closed', 'open')

const Regions = Type.Array(Region, {
  maxItems: 300,
  description:
    'ISO 3166-1 alpha-2, EU or EEA. The place that a call names (`inference_geo`, a group of regions before a model of AWS) must lie within, and calls that name others to send data to, such as `mcp_servers`, are refused.',
})

const sections = {
  schema_version: Type.Literal(1),
  mode: Type.Unsafe<'enforce' | 'monitor' | 'off'>({
    ...oneOf('enforce', 'monitor', 'off'),
    description:
      'Whether the policy is held to, only watches (what it would block passes and is noted as `would_block`; budgets hold all the same), or does not look at content. Every answer says how its call was judged, in `X-Gateway-Mode`.',
  }),
  applies_to: strictObject({
    operations: opt(Type.Array(oneOf(...operations), { minItems: 1, maxItems: operations.length })),
    dialects: opt(Type.Array(oneOf(...dialects), { minItems: 1, maxItems: dialects.length })),
  }),
  models: strictObject({
    allow: opt(globs),
    deny: opt(globs),
    default: opt(nullable(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' }))),
    max_output_tokens: opt(nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }))),
    max_input_tokens: opt(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 10_000_000,
          description:
            'Estimated, a token per four characters; where that is too much, counted with the tokenizer of the model, if it has a public one.',
        }),
      ),
    ),
    max_temperature: opt(Type.Number({ minimum: 0, maximum: 2 })),
    allow_streaming: opt(Type.Boolean()),
    max_choices: opt(Type.Integer({ minimum: 1, maximum: 16 })),
  }),
  providers: strictObject({
    allow: opt(globs),
    deny: opt(globs),
    require_zero_retention: opt(
      Type.Boolean({
        description:
          'Only providers that agreed to keep nothing (`zero_retention`), and no call that asks for more to be kept (`prompt_cache_retention`, `container`) or names others who may keep it.',
      }),
    ),
    residency: opt(Regions),
    max_classification: opt(
      nullable(
        Type.Unsafe<Classification>({
          ...oneOf(...classifications),
          description: 'The highest class of data that may leave. Null for any.',
        }),
      ),
    ),
  }),
  normalization: Normalization,
  injection: Injection,
  sensitive_data: SensitiveData,
  content: Content,
  output: Output,
  streaming: Streaming,
  rules: ConditionRules,
  limits: Limits,
  budget: BudgetRules,
  cache: strictObject({
    mode: opt(oneOf(...cacheModes)),
    scope: opt(oneOf(...cacheScopes)),
    ttl_seconds: opt(Seconds),
    semantic_threshold: opt(Threshold),
    max_temperature: opt(Type.Number({ minimum: 0, maximum: 2 })),
  }),
  upstream: strictObject({
    max_attempts: opt(Type.Integer({ minimum: 1, maximum: 10 })),
    total_timeout_ms: opt(Type.Integer({ minimum: 1000, maximum: 3_600_000 })),
    on_unsupported: opt(oneOf('error', 'drop')),
    on_client_disconnect: opt(
      Type.Unsafe<'cancel' | 'finish'>({
        ...oneOf('cancel', 'finish'),
        description:
          'Finish: calls with an Idempotency-Key, and those whose answer others wait for, go on. No stream is given again for its key.',
      }),
    ),
  }),
  retention: strictObject({
    level: opt(
      Type.Unsafe<'full' | 'redacted' | 'metadata'>({
        ...oneOf('full', 'redacted', 'metadata'),
        description: '`full` keeps, encrypted, also what the caller sent and got, before its redaction.',
      }),
    ),
    payload_ttl_days: opt(Type.Integer({ minimum: 0, maximum: 3650, description: '0 keeps no content.' })),
  }),
  failure: strictObject({
    rate_and_budget: opt(failure),
    normalization: opt(failure),
    injection_detection: opt(failure),
    sensitive_data: opt(failure),
    content_policy: opt(failure),
    output_inspection: opt(failure),
  }),
  audit: strictObject({
    on_unavailable: opt(
      Type.Unsafe<'closed' | 'spool'>({
        ...oneOf('closed', 'spool'),
        description:
          'What becomes of a call whose record the database cannot take: refused (`closed`), or kept on the local disk of ' +
          'the instance, encrypted and flushed, until the database is back (`spool`).',
      }),
    ),
    intent_record: opt(
      Type.Boolean({
        description:
          'Records a call also before its provider is asked, so that one lost with its instance is in the log. Calls that ' +
          'a budget covers are recorded so in any case.',
      }),
    ),
  }),
  reporting: strictObject({
    server_timing: opt(
      Type.Boolean({
        description:
          'Whether answers tell the times of a call in `Server-Timing`; streams do at their end, as a trailer.',
      }),
    ),
    expose_score: opt(
      Type.Boolean({
        description:
          'Whether answers, events and a caller’s own log tell the injection score. Those who see all calls read it in the log in any case.',
      }),
    ),
    block_message: opt(nullable(Type.String({ minLength: 1, maxLength: 300 }))),
  }),
}

export const PolicyDocumentInput = strictObject({
  schema_version: opt(sections.schema_version),
  mode: opt(sections.mode),
  applies_to: opt(sections.applies_to),
  models: opt(sections.models),
  providers: opt(sections.providers),
  normalization: opt(sections.normalization),
  injection: opt(sections.injection),
  sensitive_data: opt(sections.sensitive_data),
  content: opt(sections.content),
  output: opt(sections.output),
  streaming: opt(sections.streaming),
  rules: opt(sections.rules),
  limits: opt(sections.limits),
  budget: opt(sections.budget),
  cache: opt(sections.cache),
  upstream: opt(sections.upstream),
  retention: opt(sections.retention),
  failure: opt(sections.failure),
  audit: opt(sections.audit),
  reporting: opt(sections.reporting),
})
export type PolicyDocumentInput = Static<typeof PolicyDocumentInput>

type Section<K extends keyof PolicyDocumentInput> = Filled<Exclude<PolicyDocumentInput[K], undefined>>

type Sided<T> = T & { readonly on: readonly Side[] }

/** A document with every default written out; this form is stored and hashed. */
export interface PolicyDocument {
  readonly schema_version: 1
  readonly mode: 'enforce' | 'monitor' | 'off'
  readonly applies_to: Section<'applies_to'>
  readonly models: Section<'models'>
  readonly providers: Section<'providers'>
  readonly normalization: Section<'normalization'>
  readonly injection: Omit<Section<'injection'>, 'classifier'> & {
    readonly classifier: Filled<Section<'injection'>['classifier']>
  }
  readonly sensitive_data: Section<'sensitive_data'>
  readonly content: {
    readonly denied_terms: readonly Sided<DeniedTerm>[]
    readonly denied_patterns: readonly Sided<DeniedPattern>[]
    readonly topics: readonly Filled<Topic>[]
    readonly tools: Filled<Section<'content'>['tools']>
    readonly attachments: Filled<Section<'content'>['attachments']>
    readonly required_metadata: readonly string[]
    readonly system_prompt: Filled<Section<'content'>['system_prompt']>
  }
  readonly output: Section<'output'>
  readonly streaming: Section<'streaming'>
  readonly rules: readonly Sided<ConditionRule>[]
  readonly limits: Exclude<PolicyDocumentInput['limits'], undefined>
  readonly budget: Section<'budget'>
  readonly cache: Section<'cache'>
  readonly upstream: Section<'upstream'>
  readonly retention: Section<'retention'>
  readonly failure: Section<'failure'>
  readonly audit: Section<'audit'>
  readonly reporting: Section<'reporting'>
}

export type FailureStep = keyof PolicyDocument['failure']
