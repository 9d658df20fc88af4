/**
 * Identity and access: who people, services and keys are, which tenant they belong to and what they may do there.
 * It does not decide whether a request may pass; the kernel does, with what this module tells it. Tested beside its files.
 */
import { rightsTopic } from '../../kernel/auth/subjects.ts'
import { defineModule } from '../../kernel/module.ts'
import { activeHolders } from './administrators.ts'
import type { IamApi } from './api.ts'
import { apiKeyRoutes } from './api-keys.routes.ts'
import { authRoutes } from './auth.routes.ts'
import { errors } from './errors.ts'
import { iamEvents } from './events.ts'
import { iamJobs } from './jobs.ts'
import { findPrincipal, findRoles, knownPrincipals, roleNames } from './lookups.ts'
import { identityMigration } from './migrations/0001-identity.ts'
import { credentialsMigration } from './migrations/0002-credentials.ts'
import { refreshClientMigration } from './migrations/0003-refresh-client.ts'
import { roleRoutes } from './roles.routes.ts'
import { seedRoles } from './roles.ts'
import { createServices, type IamServices } from './services.ts'
import { sessionRoutes } from './sessions.routes.ts'
import { iamTables } from './tables.ts'
import { policyRules } from './tenant-settings.ts'
import { tenantRoutes } from './tenants.routes.ts'
import { userRoutes } from './users.routes.ts'

export default defineModule<IamServices, IamApi>({
  name: 'iam',
  prefix: 'iam',
  errors,
  tables: iamTables,
  migrations: [identityMigration, credentialsMigration, refreshClientMigration],
  routes: [...userRoutes, ...roleRoutes, ...sessionRoutes, ...apiKeyRoutes, ...tenantRoutes],
  extraRoutes: { auth: authRoutes },
  emits: iamEvents,
  jobs: iamJobs,
  services: createServices,
  activities: ({ setup, keyUse, failures }) => [setup, keyUse, failures],
  seed: seedRoles,
  api: ({ kernel }) => ({
    countHolders: async (tx, permission) => (await activeHolders(tx, permission, kernel.clock.now())).length,
    findPrincipal,
    knownPrincipals,
    policyRules,
    findRoles,
    roleNames: (tenantId) => roleNames(kernel.db, tenantId),
    onRolesChanged: (listener) =>
      kernel.live.on(rightsTopic, (key, _, tenantId) => {
        if (key.startsWith('role:')) listener(tenantId)
      }),
  }),
})
