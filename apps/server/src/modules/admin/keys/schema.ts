import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const purposes = ['token_signing', 'checkpoint_signing', 'export_signing', 'data', 'kek', 'password_pepper'] as const

export const RotateKeys = strictObject({
  purpose: oneOf(...purposes),
  tenant_id: Type.Optional(Uuid),
  emergency: Type.Optional(Type.Boolean()),
  dry_run: Type.Optional(Type.Boolean()),
})
export type RotateKeys = Static<typeof RotateKeys>

const Key = strictObject({
  purpose: oneOf(...purposes),
  kid: Type.String(),
  algorithm: oneOf('EdDSA', 'A256GCM', 'Argon2id'),
  status: oneOf('next', 'active', 'retiring', 'retired'),
  created_at: nullable(Timestamp),
  activates_at: nullable(Timestamp),
  retires_at: nullable(Timestamp),
  uses: nullable(
    Type.Integer({
      minimum: 0,
      description: 'How often it has locked or signed something; null for keys nobody counts',
    }),
  ),
  rotates_at: nullable(
    Type.String({ format: 'date-time', maxLength: 40, description: 'When age replaces it by itself' }),
  ),
})
export type Key = Static<typeof Key>

export const KeyRotation = strictObject({
  purpose: RotateKeys.properties.purpose,
  rotated: Type.Boolean({ description: 'False for a dry run.' }),
  keys: Type.Array(Key, { description: 'The keys of the purpose as they are after this answer.' }),
  job_id: nullable(Uuid),
  rewrapped: Type.Integer({ minimum: 0, description: 'Stored keys wrapped anew; of a dry run those that would be.' }),
  sessions_ended: Type.Integer({ minimum: 0 }),
})
export type KeyRotation = Static<typeof KeyRotation>
