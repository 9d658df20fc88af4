/** Secrets of authenticator apps as they are stored: under the tenant's data key, bound to their row. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

const addressOf = (id: string) => ({ table: 'iam_factor', column: 'secret', rowId: id })

export function sealSecret({ tenantKeys }: Kernel, tenantId: TenantId, factor: { id: string; secret: Uint8Array }) {
  return tenantKeys.encrypt(tenantId, addressOf(factor.id), factor.secret)
}

export function openSecret({ tenantKeys }: Kernel, tenantId: TenantId, factor: { id: string; secret: Uint8Array }) {
  return tenantKeys.decrypt(tenantId, addressOf(factor.id), factor.secret)
}
