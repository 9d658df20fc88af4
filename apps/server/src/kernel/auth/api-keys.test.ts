import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '../crypto/random.ts'
import { createPlatformKeys } from '../keys/platform-keys.ts'
import { apiKeyMatches, hashApiKey, makeApiKey, parseApiKey } from './api-keys.ts'

const random = createRandom(() => 1)
const keys = createPlatformKeys(random.bytes(32))

test('a new key has the published form and is read back', () => {
  const key = makeApiKey(random)
  expect(key.text).toMatch(/^ppt_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
  expect(parseApiKey(key.text)).toEqual({ keyId: key.keyId, secret: key.secret })
})

test('the checksum is CRC-32 of everything before it, in base62', () => {
  // CRC-32/ISO-HDLC, check value 0xCBF43926 for "123456789" (Rocksoft model); the body is checked by a bitwise CRC here.
  const crc = (text: string) => {
    let value = 0xffffffff
    for (const byte of Buffer.from(text)) {
      value ^= byte
      for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    }
    return (value ^ 0xffffffff) >>> 0
  }
  expect(crc('123456789')).toBe(0xcbf43926)
  const { text } = makeApiKey(random)
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const value = [...text.slice(-6)].reduce((sum, letter) => sum * 62 + alphabet.indexOf(letter), 0)
  expect(value).toBe(crc(text.slice(0, -7)))
})

test('C09 any one letter changed is noticed without a look-up', () => {
  fc.assert(
    fc.property(fc.nat(66), fc.constantFrom(...'0aZ_-'), (at, letter) => {
      const { text } = makeApiKey(random)
      fc.pre(text[at] !== letter)
      expect(parseApiKey(text.slice(0, at) + letter + text.slice(at + 1))).toBeNull()
    }),
    { numRuns: 1_000 },
  )
})

test('other texts are not keys', () => {
  const { text } = makeApiKey(random)
  for (const other of [
    '',
    'ppt_',
    `${text}\n`,
    ` ${text}`,
    `${text}x`,
    text.toUpperCase(),
    text.replace('ppt', 'pPt'),
  ]) {
    expect(parseApiKey(other)).toBeNull()
  }
})

test('C09 a key matches its own digest only', () => {
  const [mine, other] = [makeApiKey(random), makeApiKey(random)]
  const stored = hashApiKey(keys, mine)
  expect(stored).not.toContain(mine.secret)
  expect(apiKeyMatches(keys, mine, stored)).toBe(true)
  expect(apiKeyMatches(keys, other, stored)).toBe(false)
  expect(apiKeyMatches(keys, { ...mine, keyId: other.keyId }, stored)).toBe(false)
  expect(apiKeyMatches(createPlatformKeys(random.bytes(32)), mine, stored)).toBe(false)
  for (const broken of [null, '', stored.slice(1), `${stored}A`]) expect(apiKeyMatches(keys, mine, broken)).toBe(false)
})
