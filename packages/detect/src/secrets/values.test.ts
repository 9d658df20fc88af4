import { describe, expect, test } from 'vitest'
import { isPlaceholder, isSampleToken } from './base/placeholders.ts'
import { isReference } from './base/references.ts'
import { isWordy, looksRandom } from './base/wordiness.ts'
import { credentialScore } from './credential-value.ts'

const lower = 'abcdefghijklmnopqrstuvwxyz'
const base62 = `${lower}${lower.toUpperCase()}0123456789`

/** `count` values from a fixed row of pseudo-random numbers (Park and Miller, 1988). */
function randomValues(alphabet: string, length: number, count = 2_000): string[] {
  let state = 42
  const next = (): string => {
    state = (state * 48_271) % 2_147_483_647
    return alphabet[state % alphabet.length] ?? ''
  }
  return Array.from({ length: count }, () => Array.from({ length }, next).join(''))
}

const share = (values: readonly string[], holds: (value: string) => boolean): number =>
  values.filter(holds).length / values.length

describe('generated values', () => {
  test.each([
    ['letters and digits', base62, 12],
    ['letters, digits and symbols', `${base62}!@#$%^&*`, 14],
    ['small letters and digits', `${lower}0123456789`, 20],
    ['base64', `${base62}+/`, 40],
    ['hexadecimal', '0123456789abcdef', 32],
    ['letters of both cases', base62.slice(0, 52), 24],
  ])('%s count as passwords in at least 99 of 100 cases', (_name, alphabet, length) => {
    const values = randomValues(alphabet, length)
    const written = { quoted: false, link: 'assignment' } as const
    expect(share(values, (value) => credentialScore(value, 'password', written) >= 0.5)).toBeGreaterThanOrEqual(0.99)
  })

  test.each([
    ['letters and digits', base62, 20],
    ['base64', `${base62}+/`, 44],
    ['hexadecimal', '0123456789abcdef', 40],
  ])('%s count as keys in at least 99 of 100 cases', (_name, alphabet, length) => {
    const values = randomValues(alphabet, length)
    const written = { quoted: true, link: 'assignment' } as const
    expect(share(values, (value) => credentialScore(value, 'secret', written) >= 0.5)).toBeGreaterThanOrEqual(0.99)
    expect(share(values, isSampleToken)).toBeLessThan(0.001)
  })
})

describe('words', () => {
  test.each([
    'ServiceSessionManager',
    'user_account_handler',
    'connection-timeout',
    'informationSecurity',
    'us-east-region',
  ])('%s is wordy and not random', (value) => {
    expect(isWordy(value)).toBe(true)
    expect(looksRandom(value)).toBe(false)
  })
})

test.each([
  'changeme',
  'YOUR_API_KEY_HERE',
  'xxxxxxxxxxxx',
  'abcabcabcabc',
  '1234567',
  'admin123',
  'S3cr3t',
  '%DB_PASS%',
  '@TOKEN@',
])('%s is a placeholder', (value) => {
  expect(isPlaceholder(value)).toBe(true)
})

test.each([
  'config.database.token',
  'getToken(x1)',
  './certs/server.key',
  'v1.2.3-rc1',
  'md5:ab12',
  'ann@host.test',
  'kms:alias/x1',
])('%s is a reference when it stands without quotes', (value) => {
  expect(isReference(value, false)).toBe(true)
})
