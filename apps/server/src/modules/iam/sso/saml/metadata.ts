/**
 * Reads the metadata an identity provider publishes about itself (SAML 2.0). Its signature is not verified: it is
 * supplied by an administrator who has just signed in, over TLS. Tested in ../sign-in/pure.test.ts.
 */
import { parseXml2JsFromString } from '@node-saml/node-saml/lib/xml.js'
import { errors } from '../../errors/errors.ts'
import { readCertificate } from './certificates.ts'
import { maxXmlBytes, plainXml } from './prefilter.ts'

export interface IdpFacts {
  readonly entity_id: string
  readonly sso_url: string
  /** PEM. */
  readonly certificates: readonly string[]
}

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const mostCertificates = 4

/** @throws IAM-013 */
export async function readIdpMetadata(xml: string): Promise<IdpFacts> {
  const entity = child(await parsed(xml), 'EntityDescriptor')
  const idp = entity === null ? null : child(entity, 'IDPSSODescriptor')
  if (entity === null || idp === null) throw bad('The metadata describes no identity provider.')
  const entityId = attribute(entity, 'entityID')
  if (entityId === null) throw bad('The metadata does not name its entity.')
  const service = children(idp, 'SingleSignOnService').find((one) => attribute(one, 'Binding') === redirect)
  const location = service === undefined ? null : attribute(service, 'Location')
  if (location === null) throw bad('The metadata offers no sign-in by HTTP redirect.')
  return { entity_id: entityId, sso_url: location, certificates: signingCertificates(idp) }
}

function signingCertificates(idp: Element): readonly string[] {
  const texts = children(idp, 'KeyDescriptor')
    .filter((key) => attribute(key, 'use') !== 'encryption')
    .flatMap((key) => children(key, 'KeyInfo'))
    .flatMap((info) => children(info, 'X509Data'))
    .flatMap((data) => children(data, 'X509Certificate'))
    .flatMap((certificate) => (typeof certificate._ === 'string' ? [certificate._] : []))
  const found = [...new Set(texts.flatMap((text) => readCertificate(text)?.pem ?? []))]
  if (found.length === 0) throw bad('The metadata holds no RSA signing certificate of 2048 bits or more.')
  if (found.length > mostCertificates)
    throw bad(`The metadata holds more than ${mostCertificates} signing certificates.`)
  return found
}

async function parsed(xml: string): Promise<Element> {
  if (Buffer.byteLength(xml) > maxXmlBytes) throw bad('The metadata is larger than 256 KiB.')
  // Metadata in the wild has comments; nothing in it is signed for us, so they may go. Everything else may not come.
  const bare = xml
    .replace(/^\ufeff/, '')
    .replaceAll(/<!--(?:(?!--)[\s\S])*-->/g, '')
    .trim()
  try {
    return asElement(await parseXml2JsFromString(plainXml(bare)))
  } catch (error) {
    throw bad('The metadata is not XML of the form that is taken.').causedBy(error)
  }
}

/** An element as xml2js gives it: `$` holds attributes, `_` text, every other member a list of children. */
type Element = Readonly<Record<string, unknown>>

function asElement(value: unknown): Element {
  return typeof value === 'object' && value !== null ? (value as Element) : {}
}

function children(parent: Element, name: string): readonly Element[] {
  const found = parent[name]
  return (Array.isArray(found) ? found : found === undefined ? [] : [found]).map(asElement)
}

const child = (parent: Element, name: string): Element | null => children(parent, name)[0] ?? null

function attribute(element: Element, name: string): string | null {
  const value = asElement(element.$)[name]
  return typeof value === 'string' && value !== '' ? value : null
}

const bad = (what: string) => errors.ssoRefused({ what })
