import { pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { hash as hashArgon2 } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { storedForeign, verifyForeign } from './foreign.ts'
import { createPasswords } from './hashing.ts'
import { createHashQueue } from './queue.ts'

const secret = 'a password of another system'
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')
const salt = randomBytes(16)

const pbkdf2Of = (algorithm: string, digest: string, bytes = 64): string =>
  `$${algorithm}$i=27500$${base64(salt)}$${base64(pbkdf2Sync(secret, salt, 27_500, bytes, digest))}`

const made: Readonly<Record<string, () => string | Promise<string>>> = {
  'PBKDF2 with SHA-1': () => pbkdf2Of('pbkdf2', 'sha1'),
  'PBKDF2 with SHA-256': () => pbkdf2Of('pbkdf2-sha256', 'sha256'),
  'PBKDF2 with SHA-512': () => pbkdf2Of('pbkdf2-sha512', 'sha512', 32),
  scrypt: () =>
    `$scrypt$ln=14,r=8,p=1$${base64(salt)}$${base64(scryptSync(secret, salt, 64, { N: 2 ** 14, r: 8, p: 1 }))}`,
  Argon2id: () => hashArgon2(secret, { memoryCost: 7168, timeCost: 5, parallelism: 1 }),
}

describe.each(Object.keys(made))('an imported hash of %s', (name) => {
  test('C04 verifies its password and no other', async () => {
    const stored = storedForeign((await made[name]?.()) ?? '')
    expect(stored).not.toBeNull()
    expect(await verifyForeign(stored ?? '', secret)).toBe(true)
    expect(await verifyForeign(stored ?? '', `${secret}.`)).toBe(false)
  })
})

// Origin: test.c of the reference implementation (P-H-C/phc-winner-argon2), Argon2i version 0x13.
test('Argon2i agrees with the reference implementation', async () => {
  const phc = '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA'
  expect(await verifyForeign(storedForeign(phc) ?? '', 'password')).toBe(true)
})

// Origin: RFC 7914 section 12, third vector (N = 16384, r = 8, p = 1).
test('scrypt agrees with its specification', async () => {
  const tag =
    '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887'
  const phc = `$scrypt$ln=14,r=8,p=1$${base64(Buffer.from('SodiumChloride'))}$${base64(Buffer.from(tag, 'hex'))}`
  expect(await verifyForeign(storedForeign(phc) ?? '', 'pleaseletmein')).toBe(true)
})

// Origin: RFC 7914 section 11, second vector (PBKDF2-HMAC-SHA-256, c = 80000); its salt is "NaCl", too short for us to
// take, so the agreement is with Node's own PBKDF2 over it.
test('PBKDF2 agrees with its specification', () => {
  const tag =
    '4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d'
  expect(pbkdf2Sync('Password', 'NaCl', 80_000, 64, 'sha256').toString('hex')).toBe(tag)
})

describe('C04 C27 a hash is refused', () => {
  const [long, tag] = [base64(salt), base64(randomBytes(32))]
  test.each([
    ['of bcrypt', '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'],
    ['of no form', 'secret'],
    ['that costs too many iterations', `$pbkdf2-sha256$i=999999999$${long}$${tag}`],
    ['without iterations', `$pbkdf2-sha256$i=0$${long}$${tag}`],
    ['of an unknown digest', `$pbkdf2-md5$i=1000$${long}$${tag}`],
    ['that costs too much memory', `$scrypt$ln=20,r=16,p=1$${long}$${tag}`],
    ['that overflows its costs', `$scrypt$ln=99,r=8,p=1$${long}$${tag}`],
    ['of Argon2 that costs too much memory', `$argon2id$v=19$m=999999,t=2,p=1$${long}$${tag}`],
    ['of Argon2 with too many passes', `$argon2id$v=19$m=19456,t=99,p=1$${long}$${tag}`],
    ['with a tail', `$pbkdf2-sha256$i=1000$${long}$${tag}$more`],
    ['with padded text', `$pbkdf2-sha256$i=1000$${long}==$${tag}`],
    ['with an empty tag', `$pbkdf2-sha256$i=1000$${long}$`],
    ['of the length of a book', `$pbkdf2-sha256$i=1000$${'A'.repeat(2000)}$${tag}`],
    ['of the name of a member of every object', `$constructor$i=1000$${long}$${tag}`],
  ])('%s', (_, phc) => {
    expect(storedForeign(phc)).toBeNull()
  })
})

test('C04 an imported hash is outdated, and one of ours is not taken for an imported one', async () => {
  const key = new Uint8Array(32).fill(7)
  const peppers = { current: () => ({ id: '0', key }), find: async () => key }
  const queue = createHashQueue({ inFlight: 1, waiting: 4 })
  const passwords = createPasswords({ peppers, randomBytes: (length) => randomBytes(length), queue })
  const stored = storedForeign(pbkdf2Of('pbkdf2-sha256', 'sha256')) ?? ''
  expect([await passwords.verify(stored, secret), passwords.outdated(stored)]).toEqual([true, true])
  const own = await passwords.hash(secret)
  expect([await passwords.verify(own, secret), passwords.outdated(own)]).toEqual([true, false])
  // Without the pepper our tag is not made from the password alone.
  expect(await verifyForeign(storedForeign(own) ?? '', secret)).toBe(false)
})
