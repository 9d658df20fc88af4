import Type, { type TProperties } from 'typebox'
import { defineEvent } from '../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'
import { Posture } from './posture/schema.ts'
import { reviewEvents } from './reviews/events.ts'
import { ssoEvents } from './sso/events.ts'
import { tenantLifeEvents } from './tenant-life/events.ts'

const actor = { actor_id: nullable(Uuid) }
const reason = { reason: nullable(Type.String({ maxLength: 500 })) }

const userEvent = <P extends TProperties>(past: string, name: string, summary: string, more: P) =>
  defineEvent({
    channel: `iam.user.${past}`,
    type: name,
    summary,
    schema: strictObject({ user_id: Uuid, ...actor, ...more }),
  })

export const userInvited = userEvent('invited', 'UserInvited', 'A person was invited.', {})
export const userActivated = userEvent('activated', 'UserActivated', 'An account became active.', reason)
export const userSuspended = userEvent('suspended', 'UserSuspended', 'An account was suspended.', reason)
export const userDormantWarned = defineEvent({
  channel: 'iam.user.dormant_warned',
  type: 'UserDormantWarned',
  summary: 'Nobody has used an account for as long as its tenant lets pass without a warning.',
  schema: strictObject({
    user_id: Uuid,
    inactive_days: Type.Integer({ minimum: 0 }),
    suspended_from: nullable(Timestamp),
  }),
})
export const userLocked = userEvent('locked', 'UserLocked', 'An account was locked after failed sign-ins.', reason)
export const userDeactivated = userEvent('deactivated', 'UserDeactivated', 'An account was deactivated.', reason)
export const userErased = userEvent('erased', 'UserErased', 'Everything that said who a person was is gone.', {})
export const userRoleChanged = userEvent('role_changed', 'UserRoleChanged', "A user's roles changed.", {
  before: Type.Array(Uuid, { maxItems: 10 }),
  after: Type.Array(Uuid, { maxItems: 10 }),
})

const sessionFields = { session_id: Uuid, user_id: Uuid }

export const sessionCreated = defineEvent({
  channel: 'iam.session.created',
  type: 'SessionCreated',
  summary: 'A person signed in.',
  schema: strictObject(sessionFields),
})
export const sessionRevoked = defineEvent({
  channel: 'iam.session.revoked',
  type: 'SessionRevoked',
  summary: 'A session was ended before its time.',
  schema: strictObject({ ...sessionFields, ...actor, ...reason }),
})
export const refreshReuseDetected = defineEvent({
  channel: 'iam.session.refresh_reuse_detected',
  type: 'RefreshReuseDetected',
  summary: 'A spent refresh token was used again; its session was ended.',
  schema: strictObject(sessionFields),
})

export const loginFailed = defineEvent({
  channel: 'iam.login.failed',
  type: 'LoginFailed',
  summary: 'Failed sign-ins of one account within a minute.',
  schema: strictObject({ user_id: Uuid, attempts: Type.Integer({ minimum: 1 }) }),
})

const Count = Type.Integer({ minimum: 0 })

export const loginSprayingDetected = defineEvent({
  channel: 'iam.login.spraying_detected',
  type: 'LoginSprayingDetected',
  summary: 'Passwords of many accounts were tried in vain, with hardly a sign-in beside; at most one an hour.',
  schema: strictObject({ accounts: Count, attempts: Count, sign_ins: Count, minutes: Count }),
})

export const scimSyncFailed = defineEvent({
  channel: 'iam.scim.sync_failed',
  type: 'ScimSyncFailed',
  summary: 'Writes of a directory that were refused within a minute.',
  schema: strictObject({
    api_key_id: Uuid,
    sso_connection_id: nullable(Uuid),
    failures: Type.Integer({ minimum: 1 }),
    error_codes: Type.Array(Type.String({ maxLength: 20 }), { maxItems: 100 }),
  }),
})

const words = (...values: readonly string[]) => Type.String({ enum: [...values] })

export const credentialChanged = defineEvent({
  channel: 'iam.credential.changed',
  type: 'CredentialChanged',
  summary: 'What a person signs in with was added, replaced or taken away.',
  schema: strictObject({
    user_id: Uuid,
    ...actor,
    credential: words('password', 'totp', 'passkey', 'recovery_codes'),
    change: words('created', 'updated', 'deleted'),
  }),
})

const keyFields = { api_key_id: Uuid, owner_id: Uuid, ...actor }

export const apiKeyCreated = defineEvent({
  channel: 'iam.api_key.created',
  type: 'ApiKeyCreated',
  summary: 'An API key was created.',
  schema: strictObject(keyFields),
})
export const apiKeyRotated = defineEvent({
  channel: 'iam.api_key.rotated',
  type: 'ApiKeyRotated',
  summary: 'An API key was replaced by a new one.',
  schema: strictObject({ ...keyFields, replaces_id: Uuid }),
})
export const apiKeyRevoked = defineEvent({
  channel: 'iam.api_key.revoked',
  type: 'ApiKeyRevoked',
  summary: 'An API key was revoked.',
  schema: strictObject({ ...keyFields, ...reason }),
})

export const apiKeyUsedFromNewNetwork = defineEvent({
  channel: 'iam.api_key.used_from_new_network',
  type: 'ApiKeyUsedFromNewNetwork',
  summary: 'A key that was used before was used from a network it was never used from; told within a minute.',
  schema: strictObject({
    api_key_id: Uuid,
    owner_id: Uuid,
    network: Type.String({ maxLength: 64, description: 'The /24 of an IPv4 address, the /64 of one of IPv6' }),
  }),
})

export const roleChanged = defineEvent({
  channel: 'iam.role.changed',
  type: 'RoleChanged',
  summary: 'A custom role was created, changed or deleted.',
  schema: strictObject({ role_id: Uuid, change: Type.String({ enum: ['created', 'changed', 'deleted'] }), ...actor }),
})

export const postureMeasured = defineEvent({
  channel: 'iam.posture.measured',
  type: 'PostureMeasured',
  summary: 'How identity stands today, in counts.',
  schema: strictObject({ day: Type.String({ maxLength: 10 }), ...Posture.properties }),
})

export const tenantCreated = defineEvent({
  channel: 'iam.tenant.created',
  type: 'TenantCreated',
  summary: 'A tenant was created, told to its parent.',
  schema: strictObject({ created_tenant_id: Uuid, ...actor }),
})

export const iamEvents = [
  userInvited,
  userActivated,
  userSuspended,
  userDormantWarned,
  userLocked,
  userDeactivated,
  userErased,
  userRoleChanged,
  sessionCreated,
  sessionRevoked,
  refreshReuseDetected,
  loginFailed,
  loginSprayingDetected,
  credentialChanged,
  scimSyncFailed,
  apiKeyCreated,
  apiKeyRotated,
  apiKeyRevoked,
  apiKeyUsedFromNewNetwork,
  roleChanged,
  tenantCreated,
  postureMeasured,
  ...ssoEvents,
  ...reviewEvents,
  ...tenantLifeEvents,
] as const
