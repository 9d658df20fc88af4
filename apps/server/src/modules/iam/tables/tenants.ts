import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { QuotaValues } from '../schemas/quotas.ts'
import { tenantStatuses } from '../schemas/tenant-states.ts'
import { SettingValues } from '../schemas/tenants.ts'
import { stamps } from './stamps.ts'

/** One row per tenant of the installation; `path` decides which tenants may see it. */
export const tenants = table({
  name: 'iam_tenant',
  scope: 'platform',
  noun: 'tenant',
  sorts: ['created_at'],
  row: Type.Object({
    id: Uuid,
    parent_id: nullable(Uuid),
    /** From the root to the tenant itself. */
    path: Type.Array(Uuid),
    name: Type.String(),
    slug: Type.String(),
    status: oneOf(...tenantStatuses),
    status_reason: nullable(Type.String()),
    /** When the grace is over; only while the deletion is pending. */
    deletion_scheduled_for: nullable(Timestamp),
    /** When the last row was gone. */
    deleted_at: nullable(Timestamp),
    region: nullable(Type.String()),
    settings: SettingValues,
    quotas: QuotaValues,
    is_demo: Type.Boolean(),
    ...stamps,
  }),
  data: { category: 'tenant_directory', subject: [], retention: 'tenant', erasure: 'none' },
})
