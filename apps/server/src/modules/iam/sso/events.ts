import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const actor = { actor_id: nullable(Uuid) }
/** All account administrators of the tenant: they are notified of every change to a way to sign in. */
const told = { administrator_ids: Type.Array(Uuid, { maxItems: 1000 }) }

export const ssoConnectionActivated = defineEvent({
  channel: 'iam.sso_connection.activated',
  type: 'SsoConnectionActivated',
  summary: 'A single sign-on connection lets people in from now on.',
  schema: strictObject({ connection_id: Uuid, ...actor, ...told }),
})
export const ssoConnectionChanged = defineEvent({
  channel: 'iam.sso_connection.changed',
  type: 'SsoConnectionChanged',
  summary: 'A single sign-on connection was created, changed, disabled or deleted.',
  schema: strictObject({
    connection_id: Uuid,
    change: Type.String({ enum: ['created', 'changed', 'disabled', 'deleted'] }),
    ...actor,
    ...told,
  }),
})
export const ssoConnectionFailed = defineEvent({
  channel: 'iam.sso_connection.failed',
  type: 'SsoConnectionFailed',
  summary: 'A sign-in over a connection was refused or its identity provider failed; at most one a minute.',
  schema: strictObject({ connection_id: Uuid, reason: Type.String({ maxLength: 500 }) }),
})
export const certificateExpiryWarned = defineEvent({
  channel: 'iam.sso_connection.certificate_expiry_warned',
  type: 'SsoConnectionCertificateExpiryWarned',
  summary: "An identity provider's signing certificate ends soon or has ended.",
  schema: strictObject({ connection_id: Uuid, expires_at: Timestamp, days_left: Type.Integer(), ...told }),
})
export const breakGlassUsed = defineEvent({
  channel: 'iam.break_glass.used',
  type: 'BreakGlassUsed',
  summary: 'A password was used where single sign-on is enforced.',
  schema: strictObject({ user_id: Uuid, connection_id: Uuid }),
})

export const ssoEvents = [
  ssoConnectionActivated,
  ssoConnectionChanged,
  ssoConnectionFailed,
  certificateExpiryWarned,
  breakGlassUsed,
] as const
