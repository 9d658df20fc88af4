import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/http/schema.ts'
import { providerKinds } from '../providers/provider.ts'

const opt = Type.Optional

export const Timeouts = strictObject({
  connect_ms: Type.Integer({ minimum: 100, maximum: 30_000 }),
  first_byte_ms: Type.Integer({ minimum: 500, maximum: 600_000 }),
  idle_ms: Type.Integer({ minimum: 500, maximum: 300_000 }),
  total_ms: Type.Integer({ minimum: 1000, maximum: 3_600_000 }),
})
export type Timeouts = Static<typeof Timeouts>

export const defaultTimeouts: Timeouts = { connect_ms: 2000, first_byte_ms: 60_000, idle_ms: 30_000, total_ms: 300_000 }

const TimeoutsInput = strictObject({
  connect_ms: opt(Timeouts.properties.connect_ms),
  first_byte_ms: opt(Timeouts.properties.first_byte_ms),
  idle_ms: opt(Timeouts.properties.idle_ms),
  total_ms: opt(Timeouts.properties.total_ms),
})

const SecretId = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$', maxLength: 63 })

/** A key comes in and never goes out. */
const SecretInput = strictObject({
  id: SecretId,
  value: Type.String({ minLength: 1, maxLength: 4096, pattern: '^[\\x21-\\x7e]+$' }),
  weight: opt(Type.Integer({ minimum: 1, maximum: 100 })),
  expires_at: opt(Timestamp),
})
export type SecretInput = Static<typeof SecretInput>

const ModelGlobs = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' }), {
  maxItems: 500,
})
const Secrets = Type.Array(SecretInput, { maxItems: 16 })
const BaseUrl = Type.String({ minLength: 1, maxLength: 2048 })
const Status = oneOf('enabled', 'disabled')

export const healthStates = ['unknown', 'healthy', 'degraded', 'down'] as const
export type HealthState = (typeof healthStates)[number]

export const Provider = resource({
  name: Slug,
  kind: oneOf(...providerKinds),
  base_url: nullable(BaseUrl),
  models: ModelGlobs,
  timeouts: Timeouts,
  status: Status,
  secrets: Type.Array(
    strictObject({
      id: SecretId,
      hint: Type.String({ maxLength: 4, description: 'The last four characters.' }),
      version: Type.Integer({ minimum: 1 }),
      weight: Type.Integer({ minimum: 1, maximum: 100 }),
      expires_at: nullable(Timestamp),
      created_at: Timestamp,
    }),
  ),
  health: strictObject({
    state: oneOf(...healthStates),
    reason: nullable(Type.String({ maxLength: 200 })),
    since: nullable(Timestamp),
    last_test: nullable(strictObject({ ok: Type.Boolean(), at: Timestamp })),
  }),
  offline: Type.Boolean({ description: 'True for the built-in demo provider, which calls no model.' }),
})
export type Provider = Static<typeof Provider>

export const CreateProvider = strictObject({
  name: Slug,
  kind: oneOf(...providerKinds),
  base_url: opt(BaseUrl),
  models: opt(ModelGlobs),
  timeouts: opt(TimeoutsInput),
  secrets: opt(Secrets),
  status: opt(Status),
  test: opt(Type.Boolean({ description: 'Ask the provider for its models first; refuse when that fails.' })),
})
export type CreateProvider = Static<typeof CreateProvider>

export const PatchProvider = strictObject({
  name: opt(Slug),
  base_url: opt(BaseUrl),
  models: opt(ModelGlobs),
  timeouts: opt(TimeoutsInput),
  secrets: opt(Secrets),
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
  models: ModelGlobs,
  timeouts: Timeouts,
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

export const ProviderSecretRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  provider_id: Uuid,
  name: SecretId,
  ciphertext: Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM of origin and value' }),
  hint: Type.String({ maxLength: 4 }),
  weight: Type.Integer({ minimum: 1, maximum: 100 }),
  version: Type.Integer({ minimum: 1 }),
  expires_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ProviderSecretRow = Static<typeof ProviderSecretRow>

export const Model = resource({
  key: Type.String({ maxLength: 320, description: '`<provider>/<model>`' }),
  provider_id: Uuid,
  provider: Slug,
  name: Type.String({ maxLength: 256 }),
  source: oneOf('builtin', 'declared', 'synced'),
  enabled: Type.Boolean(),
  capabilities: strictObject({
    tools: Type.Boolean(),
    vision: Type.Boolean(),
    structured_output: Type.Boolean(),
    streaming: Type.Boolean(),
  }),
  field_support: Type.Record(Type.String({ maxLength: 64 }), oneOf('native', 'translated', 'emulated', 'unsupported')),
  offline: Type.Boolean(),
})
export type Model = Static<typeof Model>

export const ModelFilter = strictObject({
  provider_id: opt(Uuid),
  enabled: opt(Type.Boolean()),
  q: opt(Type.String({ minLength: 1, maxLength: 100 })),
})

export const ModelRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  provider_id: Uuid,
  name: Type.String({ maxLength: 256 }),
  source: oneOf('builtin', 'declared', 'synced'),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ModelRow = Static<typeof ModelRow>
