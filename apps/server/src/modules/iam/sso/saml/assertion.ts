/**
 * Contents of a signed assertion, read only from the canonical bytes that the signature covers, with all conditions of
 * the web browser profile (SAML profiles section 4.1.4.3). The signature is verified before. Tested in saml.test.ts.
 */
import type { ClaimNames } from '../../schemas/sso.ts'
import { type AssertedIdentity, bounded } from '../identity.ts'
import { refused } from '../refusals.ts'
import { assertionNs, attributeOf, childrenNamed, rootOf, type XmlElement } from './dom.ts'

export interface AssertionExpectation {
  /** The identity provider. */
  readonly issuer: string
  /** Us, by our entity id and the address of our assertion consumer service. */
  readonly audience: string
  readonly recipient: string
  /** The request this has to answer. */
  readonly requestId: string
  /** Unix milliseconds. */
  readonly now: number
  readonly names: ClaimNames
  readonly emailTrusted: boolean
}

const skewMs = 60_000
const longestLifeMs = 5 * 60_000

/** @throws SsoRefusal */
export async function readAssertion(xml: string, expected: AssertionExpectation): Promise<AssertedIdentity> {
  const assertion = await rootOf(xml)
  if (assertion.localName !== 'Assertion' || assertion.namespaceURI !== assertionNs)
    throw refused('what was signed is no assertion')
  if (textOf(only(assertion, 'Issuer')) !== expected.issuer) throw refused('the assertion is of another issuer')
  const issued = instant(assertion, 'IssueInstant')
  if (issued === null || issued > expected.now + skewMs || issued < expected.now - longestLifeMs - skewMs)
    throw refused('the assertion was not issued within the last five minutes')
  assertConditions(only(assertion, 'Conditions'), expected)
  const subject = only(assertion, 'Subject')
  assertConfirmed(subject, expected)
  return bounded(identityIn(assertion, only(subject, 'NameID'), expected))
}

function assertConditions(conditions: XmlElement, expected: AssertionExpectation): void {
  assertWithin(conditions, expected.now, 'the assertion')
  const restrictions = childrenNamed(conditions, assertionNs, 'AudienceRestriction')
  const isForUs = (restriction: XmlElement): boolean =>
    childrenNamed(restriction, assertionNs, 'Audience').some((audience) => textOf(audience) === expected.audience)
  if (restrictions.length === 0 || !restrictions.every(isForUs)) throw refused('the assertion is for another audience')
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

function assertConfirmed(subject: XmlElement, expected: AssertionExpectation): void {
  const data = childrenNamed(subject, assertionNs, 'SubjectConfirmation')
    .filter((confirmation) => attributeOf(confirmation, 'Method') === bearer)
    .flatMap((confirmation) => childrenNamed(confirmation, assertionNs, 'SubjectConfirmationData'))
  const [confirmation] = data
  if (confirmation === undefined || data.length > 1)
    throw refused('the assertion has not exactly one bearer confirmation')
  if (attributeOf(confirmation, 'Recipient') !== expected.recipient)
    throw refused('the assertion is for another recipient')
  if (attributeOf(confirmation, 'InResponseTo') !== expected.requestId)
    throw refused('the assertion answers another request, or none')
  if (instant(confirmation, 'NotOnOrAfter') === null) throw refused('the confirmation has no end')
  assertWithin(confirmation, expected.now, 'the confirmation')
}

function assertWithin(element: XmlElement, now: number, what: string): void {
  const [from, until] = [instant(element, 'NotBefore'), instant(element, 'NotOnOrAfter')]
  if (from !== null && now + skewMs < from) throw refused(`${what} is not valid yet`)
  if (until !== null && now - skewMs >= until) throw refused(`${what} has expired`)
}

const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const mailbox = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

function identityIn(assertion: XmlElement, nameId: XmlElement, expected: AssertionExpectation): AssertedIdentity {
  const format = attributeOf(nameId, 'Format')
  if (format === transient)
    throw refused('the provider names people by transient ids, which cannot be recognized again')
  const statement = only(assertion, 'AuthnStatement')
  const attributes = attributesOf(assertion)
  const first = (names: readonly string[]): string | null =>
    names.map((name) => attributes.get(name)?.[0]).find((value) => value !== undefined) ?? null
  const { names } = expected
  const subject = textOf(nameId)
  const email = first(names.email === undefined ? emailNames : [names.email])
  return {
    subject,
    email: email ?? (format === mailbox ? subject : null),
    emailVerified: expected.emailTrusted,
    name: first(names.name === undefined ? displayNames : [names.name]),
    groups: (names.groups === undefined ? groupNames : [names.groups]).flatMap((name) => attributes.get(name) ?? []),
    groupsComplete: !attributes.has(groupsLink),
    acr: contextOf(statement),
    amr: [],
    authTime: instant(statement, 'AuthnInstant'),
    idpSid: attributeOf(statement, 'SessionIndex'),
  }
}

function contextOf(statement: XmlElement): string | null {
  const [context] = childrenNamed(statement, assertionNs, 'AuthnContext')
  const [reference] = context === undefined ? [] : childrenNamed(context, assertionNs, 'AuthnContextClassRef')
  return reference === undefined ? null : textOf(reference)
}

// Entra and AD FS, LDAP object ids (Shibboleth), plain names.
const emailNames = [
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'email',
  'mail',
]
const displayNames = [
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'displayName',
  'name',
]
/** Sent by Entra ID in place of the groups if there are more than 150. */
const groupsLink = 'http://schemas.microsoft.com/claims/groups.link'
const groupNames = ['http://schemas.microsoft.com/ws/2008/06/identity/claims/groups', 'groups', 'memberOf']

function attributesOf(assertion: XmlElement): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const statement of childrenNamed(assertion, assertionNs, 'AttributeStatement')) {
    for (const attribute of childrenNamed(statement, assertionNs, 'Attribute')) {
      const name = attributeOf(attribute, 'Name')
      const values = childrenNamed(attribute, assertionNs, 'AttributeValue').map(textOf)
      if (name !== null) found.set(name, [...(found.get(name) ?? []), ...values.filter((value) => value !== '')])
    }
  }
  return found
}

function only(parent: XmlElement, name: string): XmlElement {
  const [found, ...more] = childrenNamed(parent, assertionNs, name)
  if (found === undefined || more.length > 0) throw refused(`the assertion has not exactly one ${name}`)
  return found
}

const textOf = (element: XmlElement): string => (element.textContent ?? '').trim()

/** Unix milliseconds; null where the attribute is not there. @throws SsoRefusal where it is no instant in UTC */
function instant(element: XmlElement, name: string): number | null {
  const text = attributeOf(element, name)
  if (text === null) return null
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw refused(`${name} is no time in UTC`)
  return ms
}
