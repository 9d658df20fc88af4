/**
 * Strength of a sign-in from the identity provider's values: two factors only where it says so, in values with a
 * meaning elsewhere too, or in those an administrator of the connection has named. No statement means one factor. Pure.
 * Tested in strength.test.ts.
 */
import type { AssertedIdentity } from '../identity.ts'

/** Registered names (RFC 8176) by the kind of factor they prove; the others describe place, time or manner. */
const kinds = {
  knowledge: ['pwd', 'pin', 'kba'],
  possession: ['otp', 'hwk', 'swk', 'sms', 'tel', 'sc', 'pop'],
  inherence: ['face', 'fpt', 'iris', 'retina', 'vbm'],
} as const
const rest = ['wia', 'rba', 'geo', 'mca', 'user', 'mfa']
const registered = new Set([...Object.values(kinds).flat(), ...rest])

const samlClass = 'urn:oasis:names:tc:SAML:2.0:ac:classes:'

/** Levels that are two factors by the documents that define them. */
const twoFactorLevels: ReadonlySet<string> = new Set([
  // SAML 2.0 Authentication Context, section 3.4.
  `${samlClass}MobileTwoFactorUnregistered`,
  `${samlClass}MobileTwoFactorContract`,
  `${samlClass}SmartcardPKI`,
  // REFEDS MFA Profile.
  'https://refeds.org/profile/mfa',
  // OpenID Provider Authentication Policy Extension 1.0, section 4.
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor-physical',
  // Entra ID and AD FS.
  'http://schemas.microsoft.com/claims/multipleauthn',
  // Okta: two factors of any kind.
  'urn:okta:loa:2fa:any',
])

type Said = Pick<AssertedIdentity, 'acr' | 'amr'>

/** Whether it says that two factors were used. @param named levels that count as well, by an administrator's word */
export function saysTwoFactors({ acr, amr }: Said, named: readonly string[]): boolean {
  if (amr.includes('mfa')) return true
  if (acr !== null && (twoFactorLevels.has(acr) || named.includes(acr))) return true
  const shown = Object.values(kinds).filter((methods) => methods.some((method) => amr.includes(method)))
  return shown.length > 1
}

/** As it stands in a session: the registered names; the provider's own words stay in its house. */
export function shownMethods(said: Said, named: readonly string[]): readonly string[] {
  const methods = ['sso', ...said.amr.filter((method) => registered.has(method) && method !== 'mfa')]
  return saysTwoFactors(said, named) ? [...methods, 'mfa'] : methods
}
