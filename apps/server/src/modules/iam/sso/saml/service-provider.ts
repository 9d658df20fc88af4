/**
 * Us as a SAML service provider: signed requests, checked responses, metadata; by node-saml. Requests go by redirect,
 * responses come by POST. Promises that an identity comes out only of one assertion that the provider's key has signed
 * with RSA and SHA-2 and that answers the request it is held against. That each request is answered once is the
 * caller's to keep. Tested in saml.test.ts with another library as the identity provider, and with attacks.
 */
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { AssertedIdentity } from '../identity.ts'
import { refused, SsoRefusal } from '../refusals.ts'
import { type AssertionExpectation, readAssertion } from './assertion.ts'
import {
  assertionNs,
  attributeOf,
  childElements,
  everyElement,
  protocolNs,
  rootOf,
  signatureNs,
  type XmlElement,
} from './dom.ts'

export interface SamlParty {
  readonly idp: { readonly entity_id: string; readonly sso_url: string; readonly certificates: readonly string[] }
  readonly entityId: string
  readonly acsUrl: string
  readonly privateKey: string
  readonly certificate: string
  /** Authentication contexts to ask for; none leaves it to the provider. */
  readonly contexts: readonly string[]
}

const skewMs = 60_000
const longestLifeMs = 5 * 60_000

/** The library as it is for one request; `now` is Unix milliseconds. */
function library(party: SamlParty, requestId: string, { now = 0, fresh = false } = {}): SAML {
  const at = new Date(now).toISOString()
  const known = async (id: string | null): Promise<string | null> => (id === requestId ? at : null)
  return new SAML({
    issuer: party.entityId,
    audience: party.entityId,
    callbackUrl: party.acsUrl,
    entryPoint: party.idp.sso_url,
    idpCert: [...party.idp.certificates],
    privateKey: party.privateKey,
    publicCert: party.certificate,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: null,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    maxAssertionAgeMs: longestLifeMs,
    disableRequestedAuthnContext: party.contexts.length === 0,
    authnContext: [...party.contexts],
    forceAuthn: fresh,
    generateUniqueId: () => requestId,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: { saveAsync: async () => null, getAsync: known, removeAsync: async () => null },
  })
}

/** Where the browser is sent, with a signed request of this id; a fresh one asks for a new proof (`ForceAuthn`). */
export function requestUrl(
  party: SamlParty,
  { requestId, fresh }: { readonly requestId: string; readonly fresh: boolean },
): Promise<string> {
  return library(party, requestId, { fresh }).getAuthorizeUrlAsync('', undefined, {})
}

/** Metadata to give to the identity provider. */
export function spMetadata(party: Omit<SamlParty, 'idp' | 'contexts'>, id: string): string {
  const sample = { entity_id: party.entityId, sso_url: party.acsUrl, certificates: [party.certificate] }
  return library({ ...party, idp: sample, contexts: [] }, id).generateServiceProviderMetadata(null, party.certificate)
}

/** The request the response claims to answer; unsigned, so usable only to find it. @throws SsoRefusal */
export async function answeredRequest(xml: string): Promise<string> {
  const id = attributeOf(await responseRoot(xml), 'InResponseTo')
  if (id === null || id === '' || id.length > 256) throw refused('the response answers no request')
  return id
}

async function responseRoot(xml: string): Promise<XmlElement> {
  const root = await rootOf(xml).catch((error: unknown) => {
    throw refused('the response is not XML', error)
  })
  if (root?.localName === 'Response' && root.namespaceURI === protocolNs) return root
  throw refused('the document is no SAML response')
}

export type ResponseExpectation = Pick<AssertionExpectation, 'requestId' | 'now' | 'names' | 'emailTrusted'>

/** @throws SsoRefusal */
export async function identityIn(
  party: SamlParty,
  xml: string,
  expected: ResponseExpectation,
): Promise<AssertedIdentity> {
  assertShape(await responseRoot(xml), party)
  const signed = await signedAssertion(party, { xml, ...expected })
  return readAssertion(signed, {
    ...expected,
    issuer: party.idp.entity_id,
    audience: party.entityId,
    recipient: party.acsUrl,
  })
}

/** The canonical bytes of the one signed assertion. */
async function signedAssertion(
  party: SamlParty,
  response: { readonly xml: string; readonly requestId: string; readonly now: number },
): Promise<string> {
  try {
    const SAMLResponse = Buffer.from(response.xml, 'utf8').toString('base64')
    const { profile } = await library(party, response.requestId, { now: response.now }).validatePostResponseAsync({
      SAMLResponse,
    })
    const xml = profile?.getAssertionXml?.()
    if (xml === undefined) throw refused('the response holds no assertion')
    return xml
  } catch (error) {
    if (error instanceof SsoRefusal) throw error
    throw refused(`the response was refused: ${error instanceof Error ? error.message : 'unknown'}`, error)
  }
}

const algorithms: Readonly<Record<string, ReadonlySet<string>>> = {
  SignatureMethod: new Set(
    ['rsa-sha256', 'rsa-sha384', 'rsa-sha512'].map((name) => `http://www.w3.org/2001/04/xmldsig-more#${name}`),
  ),
  DigestMethod: new Set([
    'http://www.w3.org/2001/04/xmlenc#sha256',
    'http://www.w3.org/2001/04/xmldsig-more#sha384',
    'http://www.w3.org/2001/04/xmlenc#sha512',
  ]),
}

/** One assertion in the whole document, where it belongs; signatures of the response or of it, by RSA and SHA-2. */
function assertShape(root: XmlElement, party: SamlParty): void {
  const destination = attributeOf(root, 'Destination')
  if (destination !== null && destination !== '' && destination !== party.acsUrl)
    throw refused('the response is for another destination')
  const all = [...everyElement(root)]
  const assertions = all.filter(({ localName }) => localName === 'Assertion' || localName === 'EncryptedAssertion')
  const [assertion] = assertions
  const placed = assertion !== undefined && [...childElements(root)].includes(assertion)
  if (
    assertions.length !== 1 ||
    !placed ||
    assertion.localName !== 'Assertion' ||
    assertion.namespaceURI !== assertionNs
  )
    throw refused('the response does not hold exactly one plain assertion')
  const signable = new Set([root, assertion])
  const signatures = all.filter((one) => one.localName === 'Signature')
  const placedSignatures = [...signable].flatMap((one) =>
    [...childElements(one)].filter((child) => child.localName === 'Signature' && child.namespaceURI === signatureNs),
  )
  if (signatures.length !== placedSignatures.length) throw refused('a signature stands where none belongs')
  for (const element of all) {
    const allowed = algorithms[element.localName]
    if (allowed !== undefined && !allowed.has(attributeOf(element, 'Algorithm') ?? ''))
      throw refused('a signature is not made with RSA and SHA-2')
  }
}
