import { hkdfSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRandom } from '../crypto/random.ts'
import { createKeyWrap, deriveKey } from '../crypto/wrapping.ts'
import { createPlatformKeys } from './platform-keys.ts'

const kek = randomBytes(32)
const random = createRandom(() => 1)

test('derivation is HKDF-SHA-256 and repeats itself', () => {
  expect(Buffer.from(deriveKey(kek, 'p'))).toEqual(Buffer.from(hkdfSync('sha256', kek, 'parapet', 'p', 32)))
  expect(createPlatformKeys(kek).mac('api-key', 'x')).toBe(createPlatformKeys(kek).mac('api-key', 'x'))
  expect(createPlatformKeys(kek).derive('pepper')).toHaveLength(32)
})

test('purposes and key-encryption keys do not share derived keys', () => {
  const keys = createPlatformKeys(kek)
  expect(keys.mac('cursor', 'x')).not.toBe(keys.mac('api-key', 'x'))
  expect(createPlatformKeys(randomBytes(32)).mac('cursor', 'x')).not.toBe(keys.mac('cursor', 'x'))
})

test('a caller that overwrites a derived key does not damage the next one', () => {
  const keys = createPlatformKeys(kek)
  keys.derive('pepper').fill(0)
  expect(keys.derive('pepper').some((byte) => byte !== 0)).toBe(true)
})

test('a wrapped key opens under its own name and key-encryption key only', () => {
  const wrap = createKeyWrap(kek, random)
  const wrapped = wrap.wrap('signing_key', 'a', Buffer.from('key'))
  expect(Buffer.from(wrap.unwrap('signing_key', 'a', wrapped)).toString()).toBe('key')
  expect(() => wrap.unwrap('signing_key', 'b', wrapped)).toThrow(/does not open/)
  expect(() => wrap.unwrap('tenant_data_key', 'a', wrapped)).toThrow(/does not open/)
  expect(() => createKeyWrap(randomBytes(32), random).unwrap('signing_key', 'a', wrapped)).toThrow(
    /signing key a was wrapped under another key-encryption key/,
  )
})
