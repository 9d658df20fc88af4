import { loginGuards } from './guessing/tables.ts'
import { mailLinks } from './mail/tables.ts'
import { factors, recoveryCodes, usedChallenges } from './mfa/tables.ts'
import { outsideTokens } from './outside-tokens/tables.ts'
import { postures } from './posture/tables.ts'
import { userCounts } from './quotas/user-counts.ts'
import { reviewTables } from './reviews/tables.ts'
import { scimTables } from './scim/tables.ts'
import { ssoTables } from './sso/tables.ts'
import { apiKeyDays, apiKeys } from './tables/api-keys.ts'
import { directory } from './tables/directory.ts'
import { roles, userRoles } from './tables/roles.ts'
import { sessions } from './tables/sessions.ts'
import { setup } from './tables/setup.ts'
import { tenants } from './tables/tenants.ts'
import { users } from './tables/users.ts'
import { tenantLifeTables } from './tenant-life/tables.ts'

export const iamTables = [
  tenants,
  directory,
  loginGuards,
  setup,
  users,
  roles,
  userRoles,
  sessions,
  mailLinks,
  factors,
  recoveryCodes,
  usedChallenges,
  apiKeys,
  apiKeyDays,
  outsideTokens,
  postures,
  userCounts,
  ...scimTables,
  ...reviewTables,
  ...tenantLifeTables,
  ...ssoTables,
] as const
