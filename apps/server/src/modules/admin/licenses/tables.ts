import Type, { type Static } from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { LicenseClaims } from './schemas.ts'

/** Every instance knows the seats of all tenants, hence `system`. */
export const licenses = table({
  name: 'admin_license',
  noun: 'license',
  system: true,
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    jws: Type.String(),
    kid: Type.String(),
    ...LicenseClaims.properties,
    installed_by: Uuid,
    warned_at: nullable(Timestamp),
    expiry_told_at: nullable(Timestamp),
    version: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  data: { category: 'configuration', subject: ['installed_by'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
export type LicenseRow = Static<typeof licenses.row>

export const licenseDays = table({
  name: 'admin_license_day',
  key: ['day'],
  row: Type.Object({ tenant_id: Uuid, day: Type.String(), seats_used: Type.Integer() }),
  data: { category: 'usage', subject: [], retention: 'P400D', erasure: 'none' },
})
