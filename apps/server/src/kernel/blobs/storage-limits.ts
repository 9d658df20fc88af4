import type { TenantId } from '../access/actor.ts'
import { definePort } from '../module/ports/port.ts'

/** Sealed bytes that a tenant may store; null means unlimited. */
export type StorageLimit = (tenantId: TenantId) => Promise<number | null>

export const storageLimitPort = definePort<StorageLimit>({
  name: 'kernel.storage_limit',
  cardinality: 'one',
  default: async () => null,
})
