/**
 * The life of a tenant as a table. ../tenant-life/change.ts and ../tenant-life/deletion.ts check the right to change
 * the state. Tested in ../tenant-life/tenant-life.test.ts.
 */

export const tenantStatuses = ['active', 'suspended', 'pending_deletion', 'deleted'] as const
export type TenantStatus = (typeof tenantStatuses)[number]

const moves: Readonly<Record<TenantStatus, readonly TenantStatus[]>> = {
  active: ['suspended', 'pending_deletion'],
  suspended: ['active', 'pending_deletion'],
  pending_deletion: ['active', 'deleted'],
  deleted: [],
}

export function canMoveTenant(from: TenantStatus, to: TenantStatus): boolean {
  return moves[from].includes(to)
}
