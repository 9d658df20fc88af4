import { expect, it } from 'vitest'
import { saysTwoFactors, shownMethods } from './strength.ts'

const said = (amr: readonly string[], acr: string | null = null) => ({ amr, acr })

it('C07 takes two kinds of methods, or the word for it, for two factors', () => {
  for (const amr of [['mfa'], ['pwd', 'otp'], ['pin', 'sc'], ['hwk', 'fpt'], ['face', 'kba', 'own-word']])
    expect(saysTwoFactors(said(amr), []), amr.join(' ')).toBe(true)
})

it('C07 takes neither silence, nor one method, nor two of a kind, nor unknown words for two factors', () => {
  const few = [
    [],
    ['pwd'],
    ['otp'],
    ['hwk', 'user'],
    ['pwd', 'pin'],
    ['sms', 'otp'],
    ['pwd', 'geo', 'rba', 'mca'],
    ['MFA'],
  ]
  for (const amr of few) expect(saysTwoFactors(said(amr), []), amr.join(' ')).toBe(false)
})

it('C08 takes the contexts that are two factors by definition, and those that an administrator names', () => {
  const context = (name: string) => `urn:oasis:names:tc:SAML:2.0:ac:classes:${name}`
  for (const name of ['MobileTwoFactorContract', 'SmartcardPKI'])
    expect(saysTwoFactors(said([], context(name)), [])).toBe(true)
  for (const name of ['PasswordProtectedTransport', 'Password', 'X509', 'TimeSyncToken', 'unspecified'])
    expect(saysTwoFactors(said([], context(name)), []), name).toBe(false)
  expect(saysTwoFactors(said([], 'https://refeds.org/profile/mfa'), [])).toBe(true)
  expect(saysTwoFactors(said([], '2'), ['2'])).toBe(true)
  expect(saysTwoFactors(said([], '2'), ['3'])).toBe(false)
})

it('leaves the provider’s own words out of the session, and says `mfa` once', () => {
  expect(shownMethods(said(['otp', 'mfa', 'own-word']), [])).toEqual(['sso', 'otp', 'mfa'])
  expect(shownMethods(said(['pwd', 'own-word']), [])).toEqual(['sso', 'pwd'])
  expect(shownMethods(said([], 'gold'), ['gold'])).toEqual(['sso', 'mfa'])
})
