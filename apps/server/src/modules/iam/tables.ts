import Type from 'typebox'
import { builtinRoleNames } from '../../kernel/auth/actor.ts'
import { table } from '../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../kernel/http/schema.ts'
import { apiKeys } from './api-key-tables.ts'
import { mailLinks } from './mail/tables.ts'
import { factors, recoveryCodes, usedChallenges } from './mfa/tables.ts'
import { reviewTables } from './reviews/tables.ts'
import { QuotaValues } from './schemas/quotas.ts'
import { SettingValues } from './schemas/tenants.ts'
import { scimTables } from './scim/tables.ts'
import { loginGuards } from './sign-in/tables.ts'
import { ssoTables } from './sso/tables.ts'
import { tenantStatuses } from './tenant-life/states.ts'
import { tenantLifeTables } from './tenant-life/tables.ts'
import { usageTables } from './usage-tables.ts'
import { managers, userStatuses, userTypes } from './user-states.ts'

const stamps = { version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp }

/** One row per tenant of the installation; who may see it is decided by `path`. */
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

/** Where a credential belongs: keyed digests only, so that sign-in finds the tenant without reading any tenant. */
export const directory = table({
  name: 'iam_directory',
  scope: 'platform',
  key: ['kind', 'digest', 'home'],
  row: Type.Object({
    kind: oneOf('email', 'api_key', 'invitation', 'mail_link', 'passkey'),
    digest: Type.String(),
    home: Uuid,
    subject: Uuid,
    last_used_at: nullable(Timestamp),
  }),
  data: { category: 'credential_index', subject: ['subject'], retention: 'tenant', erasure: 'delete' },
})

/** One row: whether the installation has its first administrator. */
export const setup = table({
  name: 'iam_setup',
  scope: 'platform',
  row: Type.Object({
    ...{ id: oneOf('first_run'), token_sha256: nullable(Type.String()) },
    ...{ token_expires_at: nullable(Timestamp), completed_at: nullable(Timestamp) },
  }),
  data: { category: 'operation', subject: [], retention: 'tenant', erasure: 'none' },
})

export const users = table({
  name: 'iam_user',
  inTenantCopies: true,
  noun: 'user',
  dueBy: ['status', 'expires_at', 'invitation_expires_at'],
  sorts: ['created_at'],
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    type: oneOf(...userTypes),
    email: nullable(Type.String()),
    email_key: nullable(Type.String()),
    display_name: nullable(Type.String()),
    status: oneOf(...userStatuses),
    status_reason: nullable(Type.String()),
    locale: nullable(Type.String()),
    time_zone: nullable(Type.String()),
    department: nullable(Type.String()),
    manager_id: nullable(Uuid),
    managed_by: oneOf(...managers),
    /** The person's id in the directory. */
    external_id: nullable(Type.String()),
    expires_at: nullable(Timestamp),
    password_hash: nullable(Type.String()),
    password_changed_at: nullable(Timestamp),
    must_change_password: Type.Boolean(),
    /** Of a password that somebody else chose and that was not changed yet. */
    password_expires_at: nullable(Timestamp),
    /** Too short to open the account by itself. */
    password_needs_factor: Type.Boolean(),
    invited_by: nullable(Uuid),
    invited_by_tenant: nullable(Uuid),
    invitation_expires_at: nullable(Timestamp),
    /** Until when one may do without a second factor; set when the first sign-in finds that it is demanded. */
    mfa_deadline: nullable(Timestamp),
    last_login_at: nullable(Timestamp),
    last_active_at: nullable(Timestamp),
    /** When the account last became active; null where it never was. */
    active_since: nullable(Timestamp),
    dormant_warned_at: nullable(Timestamp),
    /** When a directory switched the account off: it does not switch it on again. */
    was_suspended: Type.Boolean(),
    ...stamps,
  }),
  data: { category: 'identity', subject: ['id'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})

export const roles = table({
  name: 'iam_role',
  inTenantCopies: true,
  noun: 'role',
  sorts: ['created_at'],
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    name: Type.String(),
    name_key: Type.String(),
    description: nullable(Type.String()),
    /** Empty for built-in roles: theirs are in builtin-roles.ts. */
    permissions: Type.Array(Type.String()),
    builtin: nullable(oneOf(...builtinRoleNames)),
    assignable_by_scim: Type.Boolean(),
    /** Who decides in reviews of the role's own. */
    owner_id: nullable(Uuid),
    ...stamps,
  }),
  data: { category: 'authorization', subject: ['owner_id'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})

export const userRoles = table({
  name: 'iam_user_role',
  inTenantCopies: true,
  key: ['user_id', 'role_id'],
  row: Type.Object({
    tenant_id: Uuid,
    user_id: Uuid,
    role_id: Uuid,
    /** 0 is the primary role. */
    position: Type.Integer(),
    granted_by: nullable(Uuid),
    granted_at: Timestamp,
    /** By whose word: a person's, or that of a directory's groups. */
    source: oneOf('direct', 'scim', 'sso'),
  }),
  data: { category: 'authorization', subject: ['user_id', 'granted_by'], retention: 'tenant', erasure: 'delete' },
})

export const sessions = table({
  name: 'iam_session',
  noun: 'session',
  sorts: ['created_at'],
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    user_id: Uuid,
    ip: nullable(Type.String()),
    /** Of the address, when the session was opened. */
    ip_country: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    /** Of the cookie the browser showed or got; null where it keeps none. */
    device_id: nullable(Type.String()),
    amr: Type.Array(Type.String()),
    acr: Type.String(),
    auth_time: Timestamp,
    /** `password`, `passkey` or `sso:` and the connection. */
    created_via: Type.String(),
    status: oneOf('active', 'revoked'),
    revoked_by: nullable(Uuid),
    revoked_reason: nullable(Type.String()),
    /** The one refresh token that may be used next, and the one it came from. */
    refresh_jti: Type.String(),
    previous_jti: nullable(Type.String()),
    rotated_at: Timestamp,
    /** The client that spent the last token. */
    rotated_ip: nullable(Type.String()),
    rotated_user_agent: nullable(Type.String()),
    last_seen_at: Timestamp,
    idle_expires_at: Timestamp,
    expires_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  data: { category: 'session', subject: ['user_id', 'revoked_by'], retention: 'P90D', erasure: 'delete' },
})

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
  ...usageTables,
  ...scimTables,
  ...reviewTables,
  ...tenantLifeTables,
  ...ssoTables,
] as const
