import type { TenantId } from './actor.ts'

/** The tenant of transactions that belong to the installation itself. No row of the tenants' table has this id. */
export const platformTenant = '00000000-0000-0000-0000-000000000000' as TenantId
