import Type, { type Static } from 'typebox'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const opt = Type.Optional

export const SecretId = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$', maxLength: 63 })

/** Names a key instead of giving it; each tenant reaches only the secrets that the operator put in its own place. */
const SecretRef = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'In the place of `value`: `env://NAME`, `file://name` or `vault://path#field`, read when it is used.',
})

/** A key comes in and never goes out. Most are one word; some kinds take a file. */
export const SecretInput = strictObject({
  id: SecretId,
  value: opt(Type.String({ minLength: 1, maxLength: 8192, pattern: '^[\\t\\n\\r\\x20-\\x7e]+$' })),
  ref: opt(SecretRef),
  weight: opt(Type.Integer({ minimum: 1, maximum: 100 })),
  expires_at: opt(Timestamp),
})
export type SecretInput = Static<typeof SecretInput>

/** A key as it is shown. */
export const SecretFacts = strictObject({
  id: SecretId,
  hint: Type.String({
    maxLength: 4,
    description: 'The last four characters of it, or of its id where it has one.',
  }),
  ref: nullable(SecretRef),
  version: Type.Integer({ minimum: 1 }),
  weight: Type.Integer({ minimum: 1, maximum: 100 }),
  expires_at: nullable(Timestamp),
  last_used_at: nullable(
    Type.Unsafe<string>({ ...Timestamp, description: 'When the provider was last asked with it, to the minute.' }),
  ),
  created_at: Timestamp,
})

/** The key travels in the clear once; nothing gives it back. */
export const RotateSecret = strictObject({
  key_id: SecretId,
  value: SecretInput.properties.value,
  ref: SecretInput.properties.ref,
  expires_at: opt(Timestamp),
  overlap_seconds: opt(
    Type.Integer({ minimum: 0, maximum: 86_400, description: 'The version before stands in this long; default 300.' }),
  ),
  skip_test: opt(Type.Boolean()),
})
export type RotateSecret = Static<typeof RotateSecret>

export const RotatedSecret = strictObject({
  key_id: SecretId,
  version: Type.Integer({ minimum: 2 }),
  hint: Type.String({ maxLength: 4 }),
  old_valid_until: Timestamp,
})
export type RotatedSecret = Static<typeof RotatedSecret>

export const ProviderSecretRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  provider_id: Uuid,
  name: SecretId,
  ciphertext: Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM of origin and value' }),
  ref: nullable(SecretRef),
  hint: Type.String({ maxLength: 4 }),
  weight: Type.Integer({ minimum: 1, maximum: 100 }),
  version: Type.Integer({ minimum: 1 }),
  expires_at: nullable(Timestamp),
  /** Of a version that was replaced: how long it still stands in. */
  valid_until: nullable(Timestamp),
  last_used_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ProviderSecretRow = Static<typeof ProviderSecretRow>
