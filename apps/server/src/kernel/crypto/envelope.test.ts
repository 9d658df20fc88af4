import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundTo, fieldContext, keyVersionOf, open, seal } from './envelope.ts'

const key = randomBytes(32)
const address = { table: 'totp_factor', column: 'secret', rowId: '018f3c2e-7a51-7cc4-9d1e-0242ac120002' }
const tenant = '018f3c2e-7a51-7cc4-9d1e-000000000001'
const plaintext = Buffer.from('the seed')

function sealed(context = fieldContext(tenant, address)) {
  return seal({ key, keyVersion: 3, nonce: randomBytes(12), context, plaintext })
}

test('what was sealed opens at its address and names its key', () => {
  const envelope = sealed()
  expect(Buffer.from(open(key, fieldContext(tenant, address), envelope))).toEqual(plaintext)
  expect(keyVersionOf(envelope)).toBe(3)
  expect(envelope.byteLength).toBe(1 + 4 + 12 + plaintext.length + 16)
})

describe('C63 an envelope that was moved does not open', () => {
  test.each([
    ['another tenant', fieldContext('018f3c2e-7a51-7cc4-9d1e-000000000002', address)],
    ['another table', fieldContext(tenant, { ...address, table: 'recovery_code' })],
    ['another column', fieldContext(tenant, { ...address, column: 'label' })],
    ['another row', fieldContext(tenant, { ...address, rowId: tenant })],
    ['parts shifted into each other', fieldContext(tenant, { ...address, table: 'totp_factorsecret', column: '' })],
  ])('to %s', (_, context) => {
    expect(() => open(key, context, sealed())).toThrow(/does not open here/)
  })
})

test('C63 an envelope with any one bit changed does not open', () => {
  const envelope = sealed()
  const context = fieldContext(tenant, address)
  for (let bit = 0; bit < envelope.byteLength * 8; bit += 1) {
    const changed = Uint8Array.from(envelope)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(() => open(key, context, changed)).toThrow()
  }
})

test('a cut envelope and one of an unknown version are refused as such', () => {
  const envelope = sealed()
  for (const length of [0, 1, 5, 32]) expect(() => keyVersionOf(envelope.subarray(0, length))).toThrow(/known version/)
  expect(() => open(key, fieldContext(tenant, address), envelope.subarray(0, -1))).toThrow(/does not open/)
  expect(() => keyVersionOf(Uint8Array.of(2, ...envelope.subarray(1)))).toThrow(/known version/)
})

test('a nonce of another length is a mistake of the caller', () => {
  expect(() => seal({ key, keyVersion: 1, nonce: randomBytes(8), context: boundTo(), plaintext })).toThrow(RangeError)
})

test('different lists of parts are never bound to the same bytes', () => {
  const parts = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 5 })
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      fc.pre(a.length !== b.length || a.some((part, index) => !Buffer.from(part).equals(Buffer.from(b[index] ?? ''))))
      expect(Buffer.from(boundTo(...a)).equals(Buffer.from(boundTo(...b)))).toBe(false)
    }),
  )
})
