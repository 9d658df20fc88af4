import fc from 'fast-check'
import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { base32, type HashName, hotp, matchCode, otpauthUri, stepAt } from './totp.ts'

const bytes = (text: string, length: number) => Buffer.from(text.repeat(10).slice(0, length))
const seeds: Readonly<Record<HashName, Uint8Array>> = {
  sha1: bytes('1234567890', 20),
  sha256: bytes('1234567890', 32),
  sha512: bytes('1234567890', 64),
}

/** RFC 6238 appendix B. */
const vectors: readonly (readonly [seconds: number, sha1: string, sha256: string, sha512: string])[] = [
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
]

test('gives the codes of RFC 6238', () => {
  for (const [seconds, sha1, sha256, sha512] of vectors) {
    const code = (hash: HashName) => hotp(seeds[hash], stepAt(seconds * 1000), { hash, digits: 8 })
    expect([code('sha1'), code('sha256'), code('sha512')]).toEqual([sha1, sha256, sha512])
  }
})

test('gives the codes of RFC 4226', () => {
  // Appendix D.
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  expect(codes.map((_, counter) => hotp(seeds.sha1, counter))).toEqual(codes)
})

test('gives the base32 of RFC 4648, without padding', () => {
  const text = (plain: string) => base32(Buffer.from(plain))
  expect(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map(text)).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ])
})

test('agrees with another implementation on every secret and moment', () => {
  const secret = fc.uint8Array({ minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(secret, fc.integer({ min: 0, max: 4_000_000_000 }), (key, seconds) => {
      expect(hotp(key, stepAt(seconds * 1000))).toBe(generateSync({ secret: base32(key), epoch: seconds }))
    }),
    { numRuns: 500 },
  )
})

const nowMs = 1_700_000_000_000
const codeOf = (offset: number) => hotp(seeds.sha1, stepAt(nowMs) + offset)
const accepted = (drift: -1 | 0 | 1 | 'enrolling') =>
  [-3, -2, -1, 0, 1, 2].filter((offset) => matchCode(seeds.sha1, codeOf(offset), { nowMs, drift }) !== null)

test('accepts this step and the one before, and one more on the side the clock is known to be off', () => {
  expect(accepted(0)).toEqual([-1, 0])
  expect(accepted(-1)).toEqual([-2, -1, 0])
  expect(accepted(1)).toEqual([-1, 0, 1])
  expect(accepted('enrolling')).toEqual([-1, 0, 1])
})

test('learns that a clock is off, and that it is right again', () => {
  const learn = (drift: -1 | 0 | 1 | 'enrolling', offset: number) =>
    matchCode(seeds.sha1, codeOf(offset), { nowMs, drift })?.drift
  expect(learn('enrolling', 1)).toBe(1)
  expect(learn('enrolling', 0)).toBe(0)
  expect(learn(0, -1)).toBe(-1)
  expect(learn(-1, -2)).toBe(-1)
  expect(learn(-1, 0)).toBe(0)
  expect(learn(1, 0)).toBe(1)
  expect(learn(1, -1)).toBe(0)
})

test('the key URI names issuer and account and holds nothing that could be read as another parameter', () => {
  const uri = otpauthUri(seeds.sha1, { issuer: 'A & B', account: 'ada+x@acme.example' })
  expect(uri).toBe(
    'otpauth://totp/A%20%26%20B:ada%2Bx%40acme.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A%20%26%20B&algorithm=SHA1&digits=6&period=30',
  )
})
