import { permissionSet } from '../../apps/server/src/kernel/access/permissions.ts'
import type { IdentitySource } from '../../apps/server/src/kernel/auth/port.ts'

/** A directory in which everybody may do what is measured. */
export const everybody: IdentitySource = {
  rights: async () => ({
    active: true,
    role: 'bench',
    roles: ['bench'],
    permissions: permissionSet(['risk:admin']),
    operator: false,
    tenantStatus: 'active',
  }),
  apiKey: async () => null,
  apiKeyUsed: () => undefined,
  outsideToken: async () => null,
  tenantsAbove: async () => [],
  isSetUp: () => true,
}
