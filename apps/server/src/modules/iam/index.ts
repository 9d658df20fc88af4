/**
 * Identity and access: people, services and keys, the tenants they belong to and their rights there.
 * It does not decide whether a request may pass; the kernel does, with this module's data. Tested beside its files.
 */

import { rightsTopic } from '../../kernel/auth/subjects.ts'
import { sql } from '../../kernel/db/sql.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { areIndependent } from '../../kernel/second-person/people.ts'
import {
  addAgentAccount,
  agentKeys,
  endAgentCredentials,
  issueAgentKey,
  moveAgentAccount,
  revokeAgentKey,
} from './agents/agent-accounts.ts'
import type { IamApi } from './api.ts'
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { authzenMetadataRoutes, authzenRoutes } from './authzen/authzen.routes.ts'
import { createErasureReplay } from './erasure/again.ts'
import { erasePerson } from './erasure/erase.ts'
import { errors } from './errors/errors.ts'
import { iamEvents } from './events.ts'
import { mfaRoutes } from './factors/mfa.routes.ts'
import { iamFacts } from './facts/facts.ts'
import { iamFillings } from './fillings.ts'
import { readPeople } from './import/read.ts'
import { iamJobs } from './jobs.ts'
import {
  findGroups,
  findPrincipal,
  findRoles,
  firstTenant,
  groupMembers,
  knownPrincipals,
  knownServiceAccounts,
  ownersOfOldKeys,
  peopleByLogin,
  roleNames,
} from './lookups/lookups.ts'
import { findRecipients } from './lookups/recipients.ts'
import { identityMigration } from './migrations/0001-identity.ts'
import { credentialsMigration } from './migrations/0002-credentials.ts'
import { refreshClientMigration } from './migrations/0003-refresh-client.ts'
import { mailLinksMigration } from './migrations/0004-mail-links.ts'
import { secondFactorsMigration } from './migrations/0005-second-factors.ts'
import { ssoConnectionsMigration } from './migrations/0006-sso-connections.ts'
import { ssoSignInMigration } from './migrations/0007-sso-sign-in.ts'
import { provisioningMigration } from './migrations/0008-provisioning.ts'
import { accessReviewsMigration } from './migrations/0009-access-reviews.ts'
import { tenantLifeMigration } from './migrations/0010-tenant-life.ts'
import { erasureMigration } from './migrations/0011-erasure.ts'
import { dormancyMigration } from './migrations/0012-dormancy.ts'
import { ssoTrialsMigration } from './migrations/0013-sso-trials.ts'
import { firstPasswordMigration } from './migrations/0014-first-password.ts'
import { postureMigration } from './migrations/0015-posture.ts'
import { secondFactorLevelsMigration } from './migrations/0016-second-factor-levels.ts'
import { apiKeyNetworksMigration } from './migrations/0017-api-key-networks.ts'
import { providerAuthTimeMigration } from './migrations/0018-provider-auth-time.ts'
import { passwordLengthsMigration } from './migrations/0019-password-lengths.ts'
import { reviewRoundsMigration } from './migrations/0020-review-rounds.ts'
import { reviewDraftsMigration } from './migrations/0021-review-drafts.ts'
import { countedAccountsMigration } from './migrations/0022-counted-accounts.ts'
import { roleOwnersMigration } from './migrations/0023-role-owners.ts'
import { sessionDevicesMigration } from './migrations/0024-session-devices.ts'
import { directoryConnectionsMigration } from './migrations/0025-directory-connections.ts'
import { sessionCountriesMigration } from './migrations/0026-session-countries.ts'
import { userCountsMigration } from './migrations/0027-user-counts.ts'
import { switchedOffSuspendedMigration } from './migrations/0028-switched-off-suspended.ts'
import { activeFromTheStartMigration } from './migrations/0029-active-from-the-start.ts'
import { apiKeyFamiliesMigration } from './migrations/0030-api-key-families.ts'
import { credentialSettersMigration } from './migrations/0031-credential-setters.ts'
import { subtreeUsageMigration } from './migrations/0032-subtree-usage.ts'
import { outsideTokensMigration } from './migrations/0033-outside-tokens.ts'
import { agentAccountsMigration } from './migrations/0040-agent-accounts.ts'
import { bindOutsideToken, outsideBindings, unbindOutsideToken } from './outside-tokens/bindings.ts'
import { passkeyRoutes } from './passkeys/passkeys.routes.ts'
import { seatLimitPort, tokensTodayPort } from './ports/ports.ts'
import { measurePosture } from './posture/measure.ts'
import { quotasOf, usageStatement } from './quotas/quotas.ts'
import { adoptTenant, closeAccounts, prepareCopy } from './restore/copy.ts'
import { settleRestored } from './restore/settle.ts'
import { reviewRoutes } from './reviews/reviews.routes.ts'
import { activeHolders } from './rights/administrators.ts'
import { groupsTopic } from './rights/group-roles.ts'
import { originOf } from './rights/subjects.ts'
import { roleRoutes } from './roles/roles.routes.ts'
import { seedRoles } from './roles/roles.ts'
import { scimRoutes } from './scim/scim.routes.ts'
import type { IamServices } from './services/iam-services.ts'
import { createServices } from './services.ts'
import { sessionRoutes } from './sessions/sessions.routes.ts'
import { endSessions } from './sessions/sessions.ts'
import { policyRules, readSettings, settingsOf } from './settings/tenant-settings.ts'
import { forwardSignals } from './signals/push.ts'
import { signalSettings } from './signals/settings.ts'
import { ssoRoutes } from './sso/routes/sso.routes.ts'
import { ssoAuthRoutes } from './sso/routes/sso-auth.routes.ts'
import { iamTables } from './tables.ts'
import { tenantLifeRoutes } from './tenant-life/tenant-life.routes.ts'
import { tenantRoutes } from './tenants/tenants.routes.ts'
import { correctName } from './users/correct-name.ts'
import { userRoutes } from './users/users.routes.ts'

export default defineModule<IamServices, IamApi>({
  name: 'iam',
  prefix: 'iam',
  errors,
  tables: iamTables,
  migrations: [
    identityMigration,
    credentialsMigration,
    refreshClientMigration,
    mailLinksMigration,
    secondFactorsMigration,
    ssoConnectionsMigration,
    ssoSignInMigration,
    provisioningMigration,
    accessReviewsMigration,
    tenantLifeMigration,
    erasureMigration,
    dormancyMigration,
    ssoTrialsMigration,
    firstPasswordMigration,
    postureMigration,
    secondFactorLevelsMigration,
    apiKeyNetworksMigration,
    providerAuthTimeMigration,
    passwordLengthsMigration,
    reviewRoundsMigration,
    reviewDraftsMigration,
    countedAccountsMigration,
    roleOwnersMigration,
    sessionDevicesMigration,
    directoryConnectionsMigration,
    sessionCountriesMigration,
    userCountsMigration,
    switchedOffSuspendedMigration,
    activeFromTheStartMigration,
    apiKeyFamiliesMigration,
    credentialSettersMigration,
    subtreeUsageMigration,
    outsideTokensMigration,
    agentAccountsMigration,
  ],
  sealed: [
    { table: 'iam_factor', column: 'secret' },
    { table: 'iam_sso_connection', column: 'client_secret' },
    { table: 'iam_sso_connection', column: 'sp_key' },
    { table: 'iam_sso_flow', column: 'sealed' },
    { table: 'iam_tenant_export_part', column: 'sealed' },
  ],
  routes: [
    ...userRoutes,
    ...roleRoutes,
    ...sessionRoutes,
    ...apiKeyRoutes,
    ...tenantRoutes,
    ...tenantLifeRoutes,
    ...reviewRoutes,
    ...ssoRoutes,
  ],
  extraRoutes: {
    auth: [...authRoutes, ...mfaRoutes, ...passkeyRoutes, ...ssoAuthRoutes],
    '/scim/v2': scimRoutes,
    '/access/v1': authzenRoutes,
    '/.well-known': authzenMetadataRoutes,
  },
  emits: iamEvents,
  jobs: iamJobs,
  handles: [forwardSignals],
  settings: signalSettings,
  tasks: [readPeople],
  needs: [seatLimitPort, tokensTodayPort],
  fills: iamFillings,
  services: (kernel, _use, need) => createServices(kernel, need),
  activities: (services) => [
    ...[services.setup, services.keyUse, services.failures, services.syncFailures, services.breached],
    createErasureReplay(services),
  ],
  facts: iamFacts,
  seed: seedRoles,
  api: (services) => ({
    endEverySession: (tx, ending) => endSessions(services, tx, { ...ending, condition: sql`true` }),
    settleRestored: (state) => settleRestored(services, state),
    prepareCopy: (state, source) => prepareCopy(services, state, source),
    adoptTenant: (tx, tenant) => adoptTenant(services, tx, tenant),
    closeAccounts: (tx) => closeAccounts(services, tx),
    countSecondPeople: async (tx, actor, permission) => {
      const now = services.kernel.clock.now()
      const first = { userId: actor.userId, origin: actor.origin ?? null }
      const holders = await activeHolders(tx, permission, now)
      return holders.filter((one) => areIndependent(first, { userId: one.id, origin: originOf(one) }, now)).length
    },
    countPeople: async (tx) => (await tx.first(usageStatement(services.kernel.clock.iso())))?.users ?? 0,
    posture: (tx) => measurePosture(tx, services.kernel.clock.now()),
    bindOutsideToken: (tx, actor, binding) => bindOutsideToken(services.kernel, tx, actor, binding),
    unbindOutsideToken: (tx, actor, id) => unbindOutsideToken(services.kernel, tx, actor, id),
    ...{ outsideBindings, findPrincipal, knownPrincipals, knownServiceAccounts, ownersOfOldKeys, peopleByLogin },
    recipients: (tx, criteria) => findRecipients(tx, criteria, services.kernel.clock.now()),
    policyRules,
    timeZone: async (tx) => (await settingsOf(tx, tx.tenantId)).time_zone,
    dataResidency: async (tenantId) => (await readSettings(services.kernel.db, tenantId)).data_residency,
    findRoles,
    firstTenant: () => firstTenant(services.kernel.db),
    roleNames: (tenantId) => roleNames(services.kernel.db, tenantId),
    erasePerson: (tx, userId) => erasePerson(services, tx, userId),
    correctName: (tx, correction) => correctName(services, tx, correction),
    quotas: (tenantId) => quotasOf(services.kernel.db, tenantId),
    onTenantChanged: (listener) =>
      services.kernel.live.on(rightsTopic, (key, _, tenantId) => {
        if (key.startsWith('tenant:')) listener(tenantId)
      }),
    findGroups,
    groupMembers: (tenantId, groupIds) => groupMembers(services.kernel.db, tenantId, groupIds),
    onGroupsChanged: (listener) => services.kernel.live.on(groupsTopic, (_key, _data, tenantId) => listener(tenantId)),
    onRolesChanged: (listener) =>
      services.kernel.live.on(rightsTopic, (key, _, tenantId) => {
        if (key.startsWith('role:')) listener(tenantId)
      }),
    addAgentAccount: (tx, wish) => addAgentAccount(services, tx, wish),
    moveAgentAccount: (tx, move) => moveAgentAccount(services, tx, move),
    issueAgentKey: (tx, wish) => issueAgentKey(services, tx, wish),
    revokeAgentKey: (tx, key) => revokeAgentKey(services, tx, key),
    endAgentCredentials: (tx, end) => endAgentCredentials(services, tx, end),
    agentKeys: (tx, agentId) => agentKeys(services, tx, agentId),
  }),
})
