import Type, { type Static } from 'typebox'
import { Email, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { AuthenticationResponse } from './webauthn.ts'

export const ssoTypes = ['oidc', 'saml'] as const
export const ssoStatuses = ['draft', 'active', 'disabled'] as const

const Address = Type.String({ minLength: 1, maxLength: 2048 })
const Short = Type.String({ minLength: 1, maxLength: 255 })
const RoleIds = (minItems: number) => Type.Array(Uuid, { minItems, maxItems: 10, uniqueItems: true })

const Domain = Type.String({
  minLength: 3,
  maxLength: 253,
  description: 'As in e-mail addresses, for instance acme.example',
})
const Domains = Type.Array(Domain, { maxItems: 20, uniqueItems: true })

/** Names of the claims (OIDC) or attributes (SAML) to read; fields left out are read under their usual names. */
export const ClaimNames = strictObject({
  email: Type.Optional(Short),
  name: Type.Optional(Short),
  groups: Type.Optional(Short),
})
export type ClaimNames = Static<typeof ClaimNames>

const Scopes = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20, uniqueItems: true })

export const OidcSettings = strictObject({ issuer: Address, client_id: Short, scopes: Scopes, claims: ClaimNames })
export type OidcSettings = Static<typeof OidcSettings>

const OidcInput = strictObject({
  issuer: Type.Optional(Address),
  client_id: Type.Optional(Short),
  client_secret: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'Write-only; asked for again when the issuer changes' }),
  ),
  scopes: Type.Optional(Scopes),
  claims: Type.Optional(ClaimNames),
})
export type OidcInput = Static<typeof OidcInput>

const Certificates = Type.Array(Type.String({ minLength: 1, maxLength: 16_384 }), { minItems: 1, maxItems: 4 })

export const SamlSettings = strictObject({
  entity_id: Type.String({ minLength: 1, maxLength: 1024 }),
  sso_url: Address,
  certificates: Type.Array(Type.String({ maxLength: 16_384 }), {
    description: 'PEM; several while they are rolled over',
  }),
  metadata_url: nullable(Address),
  claims: ClaimNames,
})
export type SamlSettings = Static<typeof SamlSettings>

const SamlInput = strictObject({
  idp_metadata_xml: Type.Optional(Type.String({ minLength: 1, maxLength: 262_144 })),
  idp_metadata_url: Type.Optional(Address),
  entity_id: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  sso_url: Type.Optional(Address),
  certificates: Type.Optional(Certificates),
  claims: Type.Optional(ClaimNames),
})
export type SamlInput = Static<typeof SamlInput>

export const Jit = strictObject({ enabled: Type.Boolean(), default_role_ids: RoleIds(0) })
export type Jit = Static<typeof Jit>

export const GroupMapping = strictObject({
  group: Short,
  role_ids: RoleIds(1),
  mode: oneOf('add', 'authoritative'),
})
export type GroupMapping = Static<typeof GroupMapping>

const rules = {
  enforced: Type.Boolean({ description: 'People of the verified domains cannot sign in with a password' }),
  break_glass_user_ids: Type.Array(Uuid, {
    maxItems: 2,
    uniqueItems: true,
    description: 'Whose password still works where single sign-on is enforced; every use raises an event',
  }),
  jit: Jit,
  group_mappings: Type.Array(GroupMapping, { maxItems: 100 }),
  link_policy: oneOf('never', 'verified_domain'),
  required_acr: Type.Array(Short, { maxItems: 10, uniqueItems: true, description: 'One of these' }),
  required_amr: Type.Array(Short, { maxItems: 10, uniqueItems: true, description: 'One of these; OIDC only' }),
  second_factor_acr: Type.Array(Short, {
    maxItems: 10,
    uniqueItems: true,
    description:
      'Levels (SAML: contexts) of the provider that are two factors, besides those that are so by a standard',
  }),
  email_trusted: Type.Boolean({
    description:
      'The identity provider is trusted to name e-mail addresses that belong to their people, where it does not say so itself: SAML has no word for it, and Entra ID sends no `email_verified`',
  }),
}

const name = Type.String({ minLength: 1, maxLength: 100 })

/** Stored state of a domain's proof. */
export const DomainState = strictObject({ domain: Domain, verified_at: nullable(Timestamp) })
export type DomainState = Static<typeof DomainState>

export const SsoConnection = resource({
  name,
  type: oneOf(...ssoTypes),
  status: oneOf(...ssoStatuses),
  domains: Type.Array(
    strictObject({
      ...DomainState.properties,
      txt_record: strictObject({ name: Type.String(), value: Type.String() }),
    }),
  ),
  oidc: nullable(strictObject({ ...OidcSettings.properties, client_secret_set: Type.Boolean() })),
  saml: nullable(SamlSettings),
  ...rules,
  activated_by: nullable(Uuid),
  certificate_expires_at: nullable(Timestamp),
  service_provider: strictObject(
    {
      redirect_uri: Type.String({ description: 'OIDC redirect URI, SAML assertion consumer service' }),
      backchannel_logout_uri: nullable(Type.String()),
      entity_id: nullable(Type.String({ description: 'SAML; also the address of the metadata' })),
      certificate: nullable(Type.String({ description: 'PEM; signs our requests' })),
    },
    { description: 'What the identity provider has to be told' },
  ),
  health: strictObject({
    certificate_days_left: nullable(Type.Integer()),
    last_login_at: nullable(Timestamp),
    last_error: nullable(Type.String()),
    last_error_at: nullable(Timestamp),
  }),
})
export type SsoConnection = Static<typeof SsoConnection>

const optionalRules = {
  enforced: Type.Optional(rules.enforced),
  break_glass_user_ids: Type.Optional(rules.break_glass_user_ids),
  jit: Type.Optional(rules.jit),
  group_mappings: Type.Optional(rules.group_mappings),
  link_policy: Type.Optional(rules.link_policy),
  required_acr: Type.Optional(rules.required_acr),
  required_amr: Type.Optional(rules.required_amr),
  second_factor_acr: Type.Optional(rules.second_factor_acr),
  email_trusted: Type.Optional(rules.email_trusted),
}

export const CreateSsoConnection = strictObject({
  name,
  type: oneOf(...ssoTypes),
  domains: Type.Optional(Domains),
  oidc: Type.Optional(OidcInput),
  saml: Type.Optional(SamlInput),
  ...optionalRules,
})
export type CreateSsoConnection = Static<typeof CreateSsoConnection>

export const PatchSsoConnection = strictObject({
  name: Type.Optional(name),
  status: Type.Optional(oneOf('active', 'disabled')),
  domains: Type.Optional(Domains),
  verify_domain: Type.Optional(
    Type.String({ minLength: 3, maxLength: 253, description: 'Looks for the TXT record of this domain' }),
  ),
  oidc: Type.Optional(OidcInput),
  saml: Type.Optional(SamlInput),
  ...optionalRules,
})
export type PatchSsoConnection = Static<typeof PatchSsoConnection>
export type SsoRules = Partial<Pick<PatchSsoConnection, keyof typeof rules>>

export const SsoConnectionFilter = strictObject({
  type: Type.Optional(oneOf(...ssoTypes)),
  status: Type.Optional(oneOf(...ssoStatuses)),
})
export type SsoConnectionFilter = Static<typeof SsoConnectionFilter>

export const DeleteSsoConnection = strictObject({
  force: Type.Optional(Type.Boolean({ description: 'Also when users would have no way in' })),
})
export const DeletedSsoConnection = strictObject({
  id: Uuid,
  deleted: Type.Boolean(),
  users_unlinked: Type.Integer(),
  keys_revoked: Type.Integer({ description: 'Of its directory' }),
})

export const SsoDiscovery = strictObject({ email: Email })
export const SsoMethod = strictObject({ method: oneOf('password', 'sso'), connection_id: Type.Optional(Uuid) })
export type SsoMethod = Static<typeof SsoMethod>

export const SsoStart = strictObject({
  code_challenge: Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    maxLength: 43,
    description: 'PKCE (RFC 7636), method S256: who started is who may finish',
  }),
  fresh: Type.Optional(
    Type.Boolean({ description: 'The provider is to ask anew, as dangerous changes need it (AUTH-009)' }),
  ),
})

/** Response of an authorization server: RFC 6749 sections 4.1.2 and 4.1.2.1, RFC 9207. */
export const SsoCallback = strictObject({
  state: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  iss: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
  error: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  error_description: Type.Optional(Type.String({ maxLength: 2048 })),
  error_uri: Type.Optional(Type.String({ maxLength: 2048 })),
  session_state: Type.Optional(Type.String({ maxLength: 1024 })),
  scope: Type.Optional(Type.String({ maxLength: 2048 })),
  // Added by Google.
  authuser: Type.Optional(Type.String({ maxLength: 256 })),
  prompt: Type.Optional(Type.String({ maxLength: 256 })),
  hd: Type.Optional(Type.String({ maxLength: 256 })),
})
export type SsoCallback = Static<typeof SsoCallback>

/** Fields of the HTTP POST binding (SAML bindings section 3.5.4); checked by hand, so that size comes before form. */
export const SamlPost = Type.Object({
  SAMLResponse: Type.Optional(Type.String({ maxLength: 1_048_576 })),
  RelayState: Type.Optional(Type.String({ maxLength: 1024 })),
})
export type SamlPost = Static<typeof SamlPost>

export const SsoExchange = strictObject({
  code: Type.String({ minLength: 1, maxLength: 128 }),
  code_verifier: Type.String({ pattern: '^[A-Za-z0-9._~-]{43,128}$', maxLength: 128 }),
  mfa_code: Type.Optional(
    Type.String({
      pattern: '^[0-9]{6}$|^[0-9]{16}$',
      maxLength: 16,
      description: 'Where AUTH-006 has asked for it: the code is good until the sign-in is ten minutes old',
    }),
  ),
  passkey: Type.Optional(AuthenticationResponse),
})
export type SsoExchange = Static<typeof SsoExchange>

export const LogoutPost = Type.Object({ logout_token: Type.Optional(Type.String({ maxLength: 16_384 })) })
export type LogoutPost = Static<typeof LogoutPost>
/** Schema of answers without a body. */
export const Nothing = strictObject({})

export const LoggedOutSessions = strictObject({ accepted: Type.Boolean() })
