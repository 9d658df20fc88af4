import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

/** Second factors: one-time code generators and passkeys. */
export const factors = table({
  name: 'iam_factor',
  noun: 'factor',
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    user_id: Uuid,
    kind: oneOf('totp', 'passkey'),
    name: Type.String(),
    status: oneOf('pending', 'active'),
    secret: nullable(Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM under the tenant key' })),
    /** Of one-time codes: the last time step that was used, and by how many steps the device's clock is off. */
    last_step: Type.Integer(),
    drift: Type.Integer(),
    credential_id: nullable(Type.String()),
    public_key: nullable(Type.Unsafe<Uint8Array>({ description: 'COSE' })),
    sign_count: Type.Integer(),
    transports: nullable(Type.Array(Type.String())),
    /** Of passkeys: whether the key is copied between devices. */
    synced: nullable(Type.Boolean()),
    last_used_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  data: { category: 'credential', subject: ['user_id'], retention: 'tenant', erasure: 'delete' },
})

export const recoveryCodes = table({
  name: 'iam_recovery_code',
  key: ['user_id', 'slot'],
  row: Type.Object({
    tenant_id: Uuid,
    user_id: Uuid,
    slot: Type.Integer(),
    hash: Type.String(),
    used_at: nullable(Timestamp),
    created_at: Timestamp,
  }),
  data: { category: 'credential', subject: ['user_id'], retention: 'tenant', erasure: 'delete' },
})

/** Challenges that were answered, until they would have run out, so that no answer counts twice. */
export const usedChallenges = table({
  name: 'iam_used_challenge',
  scope: 'platform',
  key: ['digest'],
  row: Type.Object({ digest: Type.String(), expires_at: Timestamp }),
  data: { category: 'sign_in_defense', subject: [], retention: 'P1D', erasure: 'none' },
})
