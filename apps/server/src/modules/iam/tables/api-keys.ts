import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const apiKeys = table({
  name: 'iam_api_key',
  noun: 'api key',
  sorts: ['created_at'],
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    name: Type.String(),
    kind: oneOf('api', 'scim'),
    /** For keys of the kind `scim`: the connection whose proven domains limit it. */
    sso_connection_id: nullable(Uuid),
    owner_id: Uuid,
    created_by: Uuid,
    /** The session it was made in. */
    session_id: nullable(Uuid),
    /** Public part of the key; the secret is kept as a keyed digest. */
    key_id: Type.String(),
    secret_hash: Type.String(),
    scopes: Type.Array(Type.String()),
    allowed_cidrs: Type.Array(Type.String()),
    rate_limit_per_minute: nullable(Type.Integer()),
    expires_at: Timestamp,
    last_used_at: nullable(Timestamp),
    last_used_ip: nullable(Type.String()),
    used_networks: Type.Array(Type.String()),
    /** The key this one was made with. */
    parent_id: nullable(Uuid),
    replaces_id: nullable(Uuid),
    replaced_by_id: nullable(Uuid),
    revoked_at: nullable(Timestamp),
    revoked_by: nullable(Uuid),
    revoked_reason: nullable(Type.String()),
    version: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  data: {
    category: 'credential',
    subject: ['owner_id', 'created_by', 'revoked_by'],
    retention: 'tenant',
    erasure: 'delete',
  },
})

export const apiKeyDays = table({
  name: 'iam_api_key_day',
  key: ['key_id', 'day'],
  row: Type.Object({
    tenant_id: Uuid,
    /** The key's row. */
    key_id: Uuid,
    /** UTC, `YYYY-MM-DD`. */
    day: Type.String(),
    requests: Type.Integer(),
  }),
  data: { category: 'usage', subject: [], retention: 'P90D', erasure: 'none' },
})
