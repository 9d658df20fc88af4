import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { managers, userStatuses, userTypes } from '../schemas/user-states.ts'
import { stamps } from './stamps.ts'

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
    /** A service account of a registered agent, which reaches the data plane alone. */
    is_agent: Type.Boolean(),
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
    /** Expiry of a password chosen by another person and not changed since. */
    password_expires_at: nullable(Timestamp),
    /** Too short to open the account by itself. */
    password_needs_factor: Type.Boolean(),
    /** The last other person who chose, saw or reset the account's credential, and the time. */
    credentials_set_by: nullable(Uuid),
    credentials_set_at: nullable(Timestamp),
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
  data: {
    category: 'identity',
    subject: ['id'],
    aliases: [
      { column: 'email', kind: 'email' },
      { column: 'external_id', kind: 'external_id' },
    ],
    basis: 'contract',
    retention: 'tenant',
    erasure: 'keep_pseudonymous',
  },
})
