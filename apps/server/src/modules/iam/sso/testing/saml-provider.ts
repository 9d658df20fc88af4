/**
 * A SAML identity provider made with samlify, another library than the one that judges its responses. Tests can change
 * its statements before it signs, and the signed response as a man in the middle could.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import samlify from 'samlify'
import { makeSigningPair } from '../saml/self-signed.ts'

export interface SamlPerson {
  readonly nameId: string
  readonly email: string
  readonly groups: readonly string[]
}

/** Values of the response's template, by their tags. */
export type Tags = Record<string, string>

export interface SamlProvider {
  readonly metadata: string
  readonly certificate: string
  /** Reads the request out of the address the browser was sent to; its signature is checked. */
  readRequest(spMetadata: string, url: string): Promise<{ readonly id: string }>
  /** A signed response as XML. */
  respond(
    spMetadata: string,
    answer: { readonly requestId: string; readonly person: SamlPerson; readonly change?: (tags: Tags) => Tags },
  ): Promise<string>
}

export const idpEntity = 'https://idp.example/metadata'
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

const statement =
  '<saml:AuthnStatement AuthnInstant="{AuthnInstant}" SessionIndex="session-1"><saml:AuthnContext><saml:AuthnContextClassRef>{Context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>'
const template = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{ResponseTo}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{Format}">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{Until}" Recipient="{Recipient}" InResponseTo="{InResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{From}" NotOnOrAfter="{Until}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>${statement}<saml:AttributeStatement><saml:Attribute Name="mail"><saml:AttributeValue>{Email}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="groups">{Groups}</saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:Response>`

export async function makeSamlProvider(
  algorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
): Promise<SamlProvider> {
  samlify.setSchemaValidator({ validate: async () => 'not validated: the receiver judges' })
  const facts = {
    commonName: 'idp',
    serial: new Uint8Array(16).fill(7),
    from: Date.now() - 86_400_000,
    until: Date.now() + 400 * 86_400_000,
  }
  const { privateKey, certificate } = await makeSigningPair(facts)
  const idp = samlify.IdentityProvider({
    entityID: idpEntity,
    privateKey,
    signingCert: certificate,
    isAssertionEncrypted: false,
    wantAuthnRequestsSigned: true,
    requestSignatureAlgorithm: algorithm,
    nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    singleSignOnService: [{ Binding: redirect, Location: 'https://idp.example/sso' }],
    loginResponseTemplate: { context: template, attributes: [] },
  })
  const partner = (metadata: string) => samlify.ServiceProvider({ metadata })
  return {
    metadata: idp.getMetadata(),
    certificate,
    readRequest: async (metadata, url) => {
      const { search, searchParams } = new URL(url)
      const octetString = search.slice(1).replace(/&Signature=[^&]*/, '')
      const read = await idp.parseLoginRequest(partner(metadata), 'redirect', {
        query: Object.fromEntries(searchParams),
        octetString,
      })
      return { id: String(read.extract.request?.id) }
    },
    respond: async (metadata, { requestId, person, change }) => {
      const tags = tagsOf(partner(metadata), requestId, person)
      const fill = (text: string) => {
        const values = change?.(tags) ?? tags
        return {
          id: values.ID ?? '',
          context: Object.entries(values).reduce((xml, [tag, value]) => xml.replaceAll(`{${tag}}`, value), text),
        }
      }
      const made = await idp.createLoginResponse(
        partner(metadata),
        { extract: { request: { id: requestId } } },
        'post',
        {},
        fill,
      )
      return Buffer.from(made.context, 'base64').toString('utf8')
    },
  }
}

let made = 0

function tagsOf(sp: { entityMeta: unknown }, requestId: string, person: SamlPerson): Tags {
  const meta = sp.entityMeta as { getEntityID(): string; getAssertionConsumerService(binding: string): string }
  const at = (offset: number) => new Date(Date.now() + offset).toISOString()
  const acs = meta.getAssertionConsumerService('post')
  made += 1
  return {
    ID: `_response-${made}`,
    AssertionID: `_assertion-${made}`,
    IssueInstant: at(0),
    AuthnInstant: at(0),
    From: at(-1_000),
    Until: at(240_000),
    Issuer: idpEntity,
    Destination: acs,
    Recipient: acs,
    Audience: meta.getEntityID(),
    ResponseTo: requestId,
    InResponseTo: requestId,
    Format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    NameID: person.nameId,
    Email: person.email,
    Context: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    Groups: person.groups.map((group) => `<saml:AttributeValue>${group}</saml:AttributeValue>`).join(''),
  }
}

/** An RSA key that is not the provider's. */
export const otherKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
