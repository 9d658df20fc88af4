import Type, { type Static } from 'typebox'
import { Region } from '../../../kernel/base/regions.ts'
import { listed, nullable, oneOf, resource, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { type Classification, classifications } from '../words/policy-words.ts'
import { providerKinds } from '../words/provider-kinds.ts'
import { LimitsInput, ProviderLimits, ProviderTerms, TermsInput } from './provider-limits.ts'
import { SecretFacts, SecretId, SecretInput } from './provider-secret.ts'
import { Timeouts, TimeoutsInput } from './timeouts.ts'

const opt = Type.Optional

const ModelGlobs = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' }), {
  maxItems: 500,
})
const Secrets = Type.Array(SecretInput, { maxItems: 16 })
const BaseUrl = Type.String({ minLength: 1, maxLength: 2048 })
const Status = oneOf('enabled', 'disabled')

const Word = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$', maxLength: 128 })

/** Settings of a kind of provider besides its address; provider-settings.ts lists which kind takes which. */
export const ProviderSettings = strictObject({
  /** It becomes a part of a host name, in which a dot would make another host of it. */
  region: opt(Type.String({ pattern: '^[a-z][a-z0-9-]{1,62}$', maxLength: 63 })),
  project: opt(Word),
  deployment: opt(Word),
  organization: opt(Word),
  api_version: opt(
    Type.String({
      pattern: '^20[2-9][0-9]-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?:-preview)?$',
      maxLength: 18,
      description: 'Of the interface, not of the model.',
    }),
  ),
})
export type ProviderSettings = Static<typeof ProviderSettings>

const Residency = Type.Array(Region, { maxItems: 50, description: 'Where it works: ISO 3166-1 alpha-2, EU or EEA.' })
const ZeroRetention = Type.Boolean({ description: 'Its vendor has agreed to keep nothing.' })
const MaxClassification = nullable(
  Type.Unsafe<Classification>({
    ...oneOf(...classifications),
    description: 'The highest class of data it may receive; null for any.',
  }),
)
const ContinueTrace = Type.Boolean({ description: 'It is your own and gets the `traceparent` of its calls.' })

export const healthStates = ['unknown', 'healthy', 'degraded', 'down'] as const
export type HealthState = (typeof healthStates)[number]

export const Provider = resource({
  name: Slug,
  kind: oneOf(...providerKinds),
  base_url: nullable(BaseUrl),
  settings: ProviderSettings,
  models: ModelGlobs,
  timeouts: Timeouts,
  residency: Residency,
  zero_retention: ZeroRetention,
  max_classification: MaxClassification,
  continue_trace: ContinueTrace,
  limits: ProviderLimits,
  terms: ProviderTerms,
  status: Status,
  secrets: Type.Array(SecretFacts),
  health: strictObject({
    state: oneOf(...healthStates),
    reason: nullable(Type.String({ maxLength: 200 })),
    since: nullable(Timestamp),
    last_test: nullable(strictObject({ ok: Type.Boolean(), at: Timestamp })),
  }),
  offline: Type.Boolean({ description: 'True for the built-in demo provider, which calls no model.' }),
})
export type Provider = Static<typeof Provider>

/** As listed: with the entity tag that a change names in `If-Match`. */
export const ListedProvider = listed(Provider)

const Milliseconds = nullable(Type.Number({ minimum: 0 }))

/** As the instance that answers sees it. */
const LiveHealth = strictObject(
  {
    breakers: Type.Array(
      strictObject({
        key_id: nullable(Type.String({ maxLength: 80 })),
        model: Type.String({ maxLength: 256 }),
        state: oneOf('closed', 'open', 'half_open'),
        rest_ms: Type.Number({ minimum: 0 }),
        error_rate: Type.Number({ minimum: 0, maximum: 1 }),
      }),
    ),
    targets: Type.Array(
      strictObject({
        model: Type.String({ maxLength: 256 }),
        in_flight: Type.Integer({ minimum: 0 }),
        attempts: Type.Integer({ minimum: 0 }),
        error_rate: Type.Number({ minimum: 0, maximum: 1 }),
        ttft_ms: strictObject({ p50: Milliseconds, p95: Milliseconds }),
      }),
    ),
  },
  { description: 'Of the last 15 minutes (at most 200 attempts per model), as the instance that answers sees it.' },
)
export type LiveHealth = Static<typeof LiveHealth>

export const healthWindows = ['15m', '1h', '24h'] as const

export const ProviderQuery = strictObject({
  window: opt(
    Type.Unsafe<(typeof healthWindows)[number]>({
      ...oneOf(...healthWindows),
      description:
        'Default 15m, which is what `live` is of. Longer ones add `window`: what all instances counted by the hour, the first hour as a whole.',
    }),
  ),
})
export type ProviderQuery = Static<typeof ProviderQuery>

const quantiles = strictObject({ p50: Milliseconds, p95: Milliseconds, p99: Milliseconds })
const counted = {
  calls: Type.Integer({ minimum: 0, description: 'Answered by the provider, or lost at it after the last attempt.' }),
  failed: Type.Integer({ minimum: 0 }),
  error_rate: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  ttft_ms: Type.Unsafe<Static<typeof quantiles>>({ ...quantiles, description: 'Of streams.' }),
  latency_ms: Type.Unsafe<Static<typeof quantiles>>({ ...quantiles, description: 'Of whole calls, ours included.' }),
}
export const HealthCounts = strictObject(counted)
export type HealthCounts = Static<typeof HealthCounts>

const WindowHealth = strictObject({
  from: Timestamp,
  ...counted,
  models: Type.Array(strictObject({ model: nullable(Type.String({ maxLength: 256 })), ...counted })),
})
export type WindowHealth = Static<typeof WindowHealth>

export const ProviderWithHealth = strictObject({
  ...Provider.properties,
  health: strictObject({ ...Provider.properties.health.properties, live: LiveHealth, window: opt(WindowHealth) }),
})

export const CreateProvider = strictObject({
  name: Slug,
  kind: oneOf(...providerKinds),
  base_url: opt(BaseUrl),
  settings: opt(ProviderSettings),
  models: opt(ModelGlobs),
  timeouts: opt(TimeoutsInput),
  secrets: opt(Secrets),
  residency: opt(Residency),
  zero_retention: opt(ZeroRetention),
  max_classification: opt(MaxClassification),
  continue_trace: opt(ContinueTrace),
  limits: opt(LimitsInput),
  terms: opt(TermsInput),
  status: opt(Status),
  test: opt(Type.Boolean({ description: 'Ask the provider for its models first; refuse when that fails.' })),
})
export type CreateProvider = Static<typeof CreateProvider>

export const PatchProvider = strictObject({
  name: opt(Slug),
  base_url: opt(BaseUrl),
  settings: opt(ProviderSettings),
  models: opt(ModelGlobs),
  timeouts: opt(TimeoutsInput),
  secrets: opt(Secrets),
  residency: opt(Residency),
  zero_retention: opt(ZeroRetention),
  max_classification: opt(MaxClassification),
  continue_trace: opt(ContinueTrace),
  limits: opt(LimitsInput),
  terms: opt(TermsInput),
  status: opt(Status),
})
export type PatchProvider = Static<typeof PatchProvider>

export const ProviderFilter = strictObject({
  kind: opt(oneOf(...providerKinds)),
  status: opt(Status),
  health: opt(oneOf(...healthStates)),
})

export const TestProvider = strictObject({
  model: opt(Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' })),
  sync_models: opt(Type.Boolean()),
  key_id: opt(SecretId),
})
export type TestProvider = Static<typeof TestProvider>

export const TestReport = strictObject({
  ok: Type.Boolean(),
  checks: Type.Array(
    strictObject({
      name: Type.String({ maxLength: 64 }),
      ok: Type.Boolean(),
      ms: Type.Number({ minimum: 0 }),
      detail: nullable(Type.String({ maxLength: 500 })),
    }),
  ),
  models_found: Type.Array(Type.String({ maxLength: 256 })),
})
export type TestReport = Static<typeof TestReport>

export const ProviderRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  name: Slug,
  kind: oneOf(...providerKinds),
  base_url: nullable(BaseUrl),
  settings: ProviderSettings,
  models: ModelGlobs,
  timeouts: Timeouts,
  residency: Residency,
  zero_retention: ZeroRetention,
  max_classification: MaxClassification,
  continue_trace: ContinueTrace,
  limits: ProviderLimits,
  terms: ProviderTerms,
  status: Status,
  health_state: oneOf(...healthStates),
  health_reason: nullable(Type.String({ maxLength: 200 })),
  health_since: nullable(Timestamp),
  tested_ok: nullable(Type.Boolean()),
  tested_at: nullable(Timestamp),
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ProviderRow = Static<typeof ProviderRow>
