import type { Static } from 'typebox'
import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { PriceSheet } from './price.ts'

const settings = { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' } as const

export const PriceRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  provider_id: Uuid,
  model: Type.String({ maxLength: 256 }),
  /** Null goes back to the shipped price. */
  sheet: Type.Unsafe<PriceSheet | null>({ anyOf: [PriceSheet, { type: 'null' }], jsonb: true }),
  valid_from: Timestamp,
  set_by: Uuid,
  created_at: Timestamp,
})
export type PriceRow = Static<typeof PriceRow>

/** Every price a tenant ever set: a change is a new row, so the log can name the one it used. */
export const prices = table({
  name: 'gateway_price',
  inTenantCopies: true,
  row: PriceRow,
  appendOnly: true,
  noun: 'price',
  data: { ...settings, subject: ['set_by'], erasure: 'keep_pseudonymous' },
})
