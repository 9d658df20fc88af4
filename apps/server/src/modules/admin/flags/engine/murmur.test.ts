import { expect, test } from 'vitest'
import { murmur3 } from './murmur.ts'

/** Reference values of the x86 32-bit variant: https://en.wikipedia.org/wiki/MurmurHash#Algorithm (test vectors) */
test.each([
  ['', 0, 0],
  ['', 1, 0x514e28b7],
  ['', 0xffffffff, 0x81f16f39],
  ['test', 0, 0xba6bd213],
  ['test', 0x9747b28c, 0x704b81dc],
  ['Hello, world!', 0, 0xc0363e43],
  ['Hello, world!', 0x9747b28c, 0x24884cba],
  ['The quick brown fox jumps over the lazy dog', 0, 0x2e4ff723],
  ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
])('the hash of %j with the seed %i', (text, seed, expected) => {
  expect(murmur3(text, seed)).toBe(expected)
})

/** Values Unleash publishes for its normalization to 1..100. */
test.each([
  ['gr1:123', 73],
  ['groupX:999', 25],
])('Unleash places %s at %i', (text, expected) => {
  expect((murmur3(text) % 100) + 1).toBe(expected)
})

test('text beyond ASCII is hashed as UTF-8, also after longer and shorter ones', () => {
  const alone = murmur3('€')
  murmur3('x'.repeat(5000))
  expect(murmur3('€')).toBe(alone)
  expect(murmur3('a€')).not.toBe(murmur3('a'))
})
