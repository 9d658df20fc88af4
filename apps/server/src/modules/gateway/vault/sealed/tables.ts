import Type, { type Static } from 'typebox'
import { table } from '../../../../kernel/db/table.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'

const SealedValue = strictObject({
  placeholder: Type.String(),
  entity_type: Type.String(),
  /** Base64 of an envelope under the call's data key. */
  sealed: Type.String(),
})
export type SealedValue = Static<typeof SealedValue>

/** Values behind the placeholders of one call, under a data key of its own; `id` is that of the log row. */
export const VaultRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  user_id: Uuid,
  wrapped_key: nullable(Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM under the tenant key' })),
  sealed_values: Type.Array(SealedValue),
  expires_at: Timestamp,
  shredded_at: nullable(Timestamp),
  created_at: Timestamp,
})
export type VaultRow = Static<typeof VaultRow>

export const vaults = table({
  name: 'gateway_vault',
  row: VaultRow,
  append: true,
  dueBy: ['expires_at', 'shredded_at'],
  noun: 'vault entry',
  data: { category: 'secret', subject: ['user_id'], retention: 'P60D', erasure: 'crypto_shred' },
})
