import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { DomainState, GroupMapping, OidcSettings, SamlSettings, ssoStatuses, ssoTypes } from '../schemas/sso.ts'

const Sealed = nullable(Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM under the tenant key' }))

export const ssoConnections = table({
  name: 'iam_sso_connection',
  noun: 'single sign-on connection',
  sorts: ['created_at'],
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    name: Type.String(),
    type: oneOf(...ssoTypes),
    status: oneOf(...ssoStatuses),
    domains: Type.Array(DomainState),
    oidc: nullable(OidcSettings),
    client_secret: Sealed,
    saml: nullable(SamlSettings),
    /** PKCS #8 of the key that signs our SAML requests, and its certificate. */
    sp_key: Sealed,
    sp_certificate: nullable(Type.String()),
    enforced: Type.Boolean(),
    break_glass_user_ids: Type.Array(Uuid),
    jit_enabled: Type.Boolean(),
    default_role_ids: Type.Array(Uuid),
    group_mappings: Type.Array(GroupMapping),
    link_policy: oneOf('never', 'verified_domain'),
    required_acr: Type.Array(Type.String()),
    required_amr: Type.Array(Type.String()),
    second_factor_acr: Type.Array(Type.String()),
    email_trusted: Type.Boolean(),
    /** The person whose rights limit the roles the connection can give, and the tenant of their account. */
    activated_by: nullable(Uuid),
    activated_by_tenant: nullable(Uuid),
    certificate_expires_at: nullable(Timestamp),
    certificate_warned_at: nullable(Timestamp),
    last_login_at: nullable(Timestamp),
    last_error: nullable(Type.String()),
    last_error_at: nullable(Timestamp),
    version: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  data: {
    category: 'sign_in_configuration',
    subject: ['activated_by', 'break_glass_user_ids'],
    retention: 'tenant',
    erasure: 'keep_pseudonymous',
  },
})

export type ConnectionRow = NonNullable<Awaited<ReturnType<typeof ssoConnections.get>>>

/** The tenant of a connection and a verified domain, so that sign-in finds it without reading any tenant. */
export const ssoDirectory = table({
  name: 'iam_sso_directory',
  scope: 'platform',
  key: ['kind', 'name'],
  row: Type.Object({
    kind: oneOf('connection', 'domain'),
    /** The connection's id, or the domain in ASCII and lower case. */
    name: Type.String(),
    home: Uuid,
    connection_id: Uuid,
  }),
  data: { category: 'credential_index', subject: [], retention: 'tenant', erasure: 'none' },
})

/** A person's identity at an identity provider: the only thing later sign-ins are matched by. */
export const ssoIdentities = table({
  name: 'iam_sso_identity',
  key: ['connection_id', 'subject'],
  row: Type.Object({
    tenant_id: Uuid,
    connection_id: Uuid,
    subject: Type.String(),
    user_id: Uuid,
    created_at: Timestamp,
    last_login_at: Timestamp,
  }),
  data: {
    category: 'identity',
    subject: ['user_id'],
    aliases: [{ column: 'subject', kind: 'external_id' }],
    basis: 'contract',
    retention: 'tenant',
    erasure: 'delete',
  },
})

/** One sign-in from its start to the exchange of its code; secrets are stored as a digest or sealed. */
export const ssoFlows = table({
  name: 'iam_sso_flow',
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    connection_id: Uuid,
    /** SHA-256 of the OIDC `state` or the SAML request id. */
    request_digest: Type.String(),
    /** OIDC: nonce and our own PKCE verifier; of a trial that is done, its result. */
    sealed: Sealed,
    code_challenge: Type.String(),
    expires_at: Timestamp,
    taken_at: nullable(Timestamp),
    /** Set when the identity provider has answered. */
    user_id: nullable(Uuid),
    subject: nullable(Type.String()),
    idp_sid: nullable(Type.String()),
    amr: Type.Array(Type.String()),
    acr: nullable(Type.String()),
    auth_time: nullable(Timestamp),
    code_digest: nullable(Type.String()),
    code_expires_at: nullable(Timestamp),
    exchanged_at: nullable(Timestamp),
    /** The administrator who only tries the connection, and when what would have happened was sealed. */
    trial_by: nullable(Uuid),
    trial_by_tenant: nullable(Uuid),
    trial_done_at: nullable(Timestamp),
    created_at: Timestamp,
  }),
  data: {
    category: 'sign_in_defense',
    subject: ['user_id', 'trial_by'],
    aliases: [{ column: 'subject', kind: 'external_id' }],
    retention: 'P1D',
    erasure: 'delete',
  },
})

/** Sessions opened over a connection, by the identity provider's identifier of them. */
export const ssoSessions = table({
  name: 'iam_sso_session',
  key: ['session_id'],
  row: Type.Object({
    tenant_id: Uuid,
    session_id: Uuid,
    connection_id: Uuid,
    subject: Type.String(),
    idp_sid: nullable(Type.String()),
  }),
  data: {
    category: 'session',
    subject: [],
    aliases: [{ column: 'subject', kind: 'external_id' }],
    retention: 'P90D',
    erasure: 'delete',
  },
})

/** Logout tokens that were used, until they would have run out. */
export const ssoLogoutTokens = table({
  name: 'iam_sso_logout_token',
  key: ['connection_id', 'jti'],
  row: Type.Object({ tenant_id: Uuid, connection_id: Uuid, jti: Type.String(), expires_at: Timestamp }),
  data: { category: 'sign_in_defense', subject: [], retention: 'P1D', erasure: 'none' },
})

export const ssoTables = [ssoConnections, ssoDirectory, ssoIdentities, ssoFlows, ssoSessions, ssoLogoutTokens] as const
