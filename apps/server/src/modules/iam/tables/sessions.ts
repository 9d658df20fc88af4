import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

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
