/**
 * Turns what an administrator gives about an identity provider into what is stored: addresses held against the network
 * guard, metadata read, certificates checked, secrets sealed. Everything that waits for the network or for keys is here,
 * outside of transactions. Tested in connections.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { errors } from '../../errors/errors.ts'
import type { OidcInput, SamlInput } from '../../schemas/sso.ts'
import { guardedFetch } from '../egress-fetch.ts'
import { lastExpiry, readCertificate } from '../saml/certificates.ts'
import { type IdpFacts, readIdpMetadata } from '../saml/metadata.ts'
import { makeSigningPair } from '../saml/self-signed.ts'
import { seal } from '../secrets.ts'
import type { ConnectionRow } from '../tables.ts'

export type ProviderColumns = Pick<
  ConnectionRow,
  'oidc' | 'client_secret' | 'saml' | 'sp_key' | 'sp_certificate' | 'certificate_expires_at'
>

export interface ProviderInput {
  readonly tenantId: TenantId
  readonly id: string
  readonly type: ConnectionRow['type']
  readonly oidc: OidcInput | undefined
  readonly saml: SamlInput | undefined
  /** The row as stored now. */
  readonly before: ConnectionRow | null
}

const none: ProviderColumns = {
  oidc: null,
  client_secret: null,
  saml: null,
  sp_key: null,
  sp_certificate: null,
  certificate_expires_at: null,
}

/** @throws IAM-013 */
export async function providerColumns(kernel: Kernel, input: ProviderInput): Promise<ProviderColumns> {
  if (input.type === 'oidc' && input.saml !== undefined) throw wrong('The connection is of OpenID Connect.', '/saml')
  if (input.type === 'saml' && input.oidc !== undefined) throw wrong('The connection is of SAML.', '/oidc')
  return input.type === 'oidc' ? oidcColumns(kernel, input) : samlColumns(kernel, input)
}

async function oidcColumns(
  kernel: Kernel,
  { tenantId, id, oidc = {}, before }: ProviderInput,
): Promise<ProviderColumns> {
  const old = before?.oidc ?? null
  const issuer = oidc.issuer ?? old?.issuer
  const client_id = oidc.client_id ?? old?.client_id
  if (issuer === undefined || client_id === undefined) throw wrong('Name the issuer and the client id.', '/oidc')
  assertAddress(kernel, issuer, '/oidc/issuer')
  if (issuer.includes('?')) throw wrong('An issuer has no query.', '/oidc/issuer')
  // A secret belongs to the provider it was made for: changing the address requires entering it again.
  const moves = old !== null && new URL(issuer).origin !== new URL(old.issuer).origin
  if (moves && before?.client_secret != null && oidc.client_secret === undefined)
    throw wrong('The client secret has to be given again when the issuer changes.', '/oidc/client_secret')
  const kept = before?.client_secret ?? null
  const place = { tenantId, rowId: id, column: 'client_secret' } as const
  return {
    ...none,
    oidc: {
      issuer,
      client_id,
      scopes: oidc.scopes ?? old?.scopes ?? ['openid', 'email', 'profile'],
      claims: oidc.claims ?? old?.claims ?? {},
    },
    client_secret: oidc.client_secret === undefined ? kept : await seal(kernel, place, oidc.client_secret),
  }
}

async function samlColumns(kernel: Kernel, input: ProviderInput): Promise<ProviderColumns> {
  const { saml = {}, before } = input
  const old = before?.saml ?? null
  const read = await publishedFacts(kernel, saml)
  const entity_id = saml.entity_id ?? read?.entity_id ?? old?.entity_id
  const sso_url = saml.sso_url ?? read?.sso_url ?? old?.sso_url
  const certificates = pemsOf(saml.certificates) ?? read?.certificates ?? old?.certificates
  if (entity_id === undefined || sso_url === undefined || certificates === undefined)
    throw wrong('Give metadata, or entity id, sign-in address and certificates.', '/saml')
  assertWebAddress(sso_url, '/saml/sso_url')
  return {
    ...none,
    ...(await signingColumns(kernel, input)),
    saml: {
      entity_id,
      sso_url,
      certificates: [...certificates],
      metadata_url: saml.idp_metadata_url ?? old?.metadata_url ?? null,
      claims: saml.claims ?? old?.claims ?? {},
    },
    certificate_expires_at: lastExpiry(certificates),
  }
}

/** A pair of keys of one's own per connection, made once. */
async function signingColumns(
  kernel: Kernel,
  { tenantId, id, before }: ProviderInput,
): Promise<Pick<ProviderColumns, 'sp_key' | 'sp_certificate'>> {
  if (before !== null && before.sp_key !== null) return { sp_key: before.sp_key, sp_certificate: before.sp_certificate }
  const { clock, random } = kernel
  const from = clock.now() - 86_400_000
  const until = clock.now() + 10 * 365 * 86_400_000
  const pair = await makeSigningPair({ commonName: `parapet ${id}`, serial: random.bytes(16), from, until })
  return {
    sp_key: await seal(kernel, { tenantId, rowId: id, column: 'sp_key' }, pair.privateKey),
    sp_certificate: pair.certificate,
  }
}

async function publishedFacts(
  kernel: Kernel,
  { idp_metadata_xml: xml, idp_metadata_url: url }: SamlInput,
): Promise<IdpFacts | null> {
  if (xml !== undefined) return readIdpMetadata(xml)
  return url === undefined ? null : fetchIdpMetadata(kernel, url)
}

/** @throws IAM-013 */
export async function fetchIdpMetadata(kernel: Kernel, url: string): Promise<IdpFacts> {
  assertAddress(kernel, url, '/saml/idp_metadata_url')
  const answer = await guardedFetch(kernel.egress)(url).catch((error: unknown) => {
    throw wrong('The metadata could not be fetched.', '/saml/idp_metadata_url').causedBy(error)
  })
  if (answer.status !== 200) throw wrong(`The metadata was answered with ${answer.status}.`, '/saml/idp_metadata_url')
  return readIdpMetadata(await answer.text())
}

function pemsOf(texts: readonly string[] | undefined): readonly string[] | undefined {
  return texts?.map((text, index) => {
    const read = readCertificate(text)
    if (read === null) throw wrong('This is no RSA certificate of 2048 bits or more.', `/saml/certificates/${index}`)
    return read.pem
  })
}

function assertAddress({ egress }: Kernel, url: string, pointer: string): void {
  const check = egress.checkUrl(url)
  if (!check.ok) throw wrong(`The address is not allowed by the network guard (${check.rule}).`, pointer)
}

/** An address only browsers visit; it may be inside a network we cannot reach. */
function assertWebAddress(url: string, pointer: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw wrong('This is no web address.', pointer)
}

function wrong(what: string, pointer: string) {
  return errors.ssoRefused({ what }).at([{ detail: what, pointer }])
}
