import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { describe, expect, test, vi } from 'vitest'
import { createHashQueue } from './queue.ts'

/** Hashes passed to the library's `verify`, which still runs. */
const compared: string[] = []
vi.mock('@node-rs/argon2', async (original) => {
  const library = await original<typeof import('@node-rs/argon2')>()
  const recorded: typeof library.verify = (stored, ...rest) => {
    compared.push(String(stored))
    return library.verify(stored, ...rest)
  }
  return { ...library, verify: recorded }
})

// Other test files of this process have loaded it with the library as it is.
vi.resetModules()
const { createPasswords, hashCost, hashCosts } = await import('./hashing.ts')

const keyOf = (byte: number) => new Uint8Array(32).fill(byte)
/** Peppers 0, 1, … of these bytes; the last is the present one. */
const peppersOf = (...bytes: readonly number[]) => ({
  current: () => ({ id: String(bytes.length - 1), key: keyOf(bytes.at(-1) ?? 0) }),
  find: async (id: string) => (bytes[Number(id)] === undefined ? null : keyOf(bytes[Number(id)] ?? 0)),
})

const parts = {
  peppers: peppersOf(7),
  randomBytes: (length: number) => Uint8Array.from(randomBytes(length)),
  queue: createHashQueue({ inFlight: 2, waiting: 64 }),
}
const passwords = createPasswords(parts)

describe('a hash', () => {
  test('C04 says its algorithm and costs and holds salt and tag of the right length', async () => {
    const [, algorithm, version, costs, salt = '', tag = ''] = (await passwords.hash('correct horse battery')).split(
      '$',
    )
    expect([algorithm, version, costs]).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1'])
    expect(Buffer.from(salt, 'base64')).toHaveLength(16)
    expect(Buffer.from(tag, 'base64')).toHaveLength(32)
  })

  test('C04 C05 costs what the operator chose, also for who has none, and makes others outdated', async () => {
    const strong = createPasswords({ ...parts, cost: hashCosts.strong })
    const stored = await strong.hash('correct horse battery')
    expect(stored).toContain('$m=65536,t=3,p=4$')
    expect(await strong.verify(stored, 'correct horse battery')).toBe(true)
    expect([strong.outdated(stored), passwords.outdated(stored)]).toEqual([false, true])
    compared.length = 0
    expect(await strong.verify(null, 'correct horse battery')).toBe(false)
    expect(compared[0]).toContain('$m=65536,t=3,p=4$')
  })

  test('C05 of other costs does the work of today’s as well where it does not match', async () => {
    const strong = createPasswords({ ...parts, cost: hashCosts.strong })
    const stored = await passwords.hash('correct horse battery')
    compared.length = 0
    expect(await strong.verify(stored, 'wrong horse battery')).toBe(false)
    expect(compared.map((phc) => phc.split('$')[3])).toEqual(['m=19456,t=2,p=1', 'm=65536,t=3,p=4'])
    compared.length = 0
    expect(await strong.verify(stored, 'correct horse battery')).toBe(true)
    expect(compared).toHaveLength(1)
  })

  test('verifies its password in both Unicode forms, and no other', async () => {
    const stored = await passwords.hash('caf\u00e9 au lait at seven')
    expect(await passwords.verify(stored, 'cafe\u0301 au lait at seven')).toBe(true)
    expect(await passwords.verify(stored, 'cafe au lait at seven')).toBe(false)
  })

  test('C04 is worth nothing under another pepper', async () => {
    const stored = await passwords.hash('correct horse battery')
    const elsewhere = createPasswords({ ...parts, peppers: peppersOf(8) })
    expect(await elsewhere.verify(stored, 'correct horse battery')).toBe(false)
  })

  test('C04 of another cost is outdated and one of today is not', async () => {
    const cheap = await hash('correct horse battery', { ...hashCost, timeCost: 1, secret: keyOf(7) })
    expect(passwords.outdated(cheap)).toBe(true)
    expect(await passwords.verify(cheap, 'correct horse battery')).toBe(true)
    expect(passwords.outdated(await passwords.hash('correct horse battery'))).toBe(false)
  })
})

test('C04 a hash of an older pepper is good and outdated, one of the new pepper carries its id', async () => {
  const old = await passwords.hash('correct horse battery')
  const later = createPasswords({ ...parts, peppers: peppersOf(7, 8) })
  expect(await later.verify(old, 'correct horse battery')).toBe(true)
  expect(await later.verify(old, 'correct horse')).toBe(false)
  expect(later.outdated(old)).toBe(true)
  const anew = await later.hash('correct horse battery')
  expect(anew).toMatch(/^pepper:1:\$argon2id\$/)
  expect(await later.verify(anew, 'correct horse battery')).toBe(true)
  expect(later.outdated(anew)).toBe(false)
  // Under another pepper id the hash does not match, and under an unknown one it is invalid.
  expect(await later.verify(anew.replace('pepper:1:', ''), 'correct horse battery')).toBe(false)
  expect(await passwords.verify(anew, 'correct horse battery')).toBe(false)
})

test('C05 an account without a hash costs the verification that one with a hash costs, and lets nobody in', async () => {
  const password = 'correct horse battery'
  const workFor = async (stored: string | null, of = passwords): Promise<readonly unknown[]> => {
    compared.length = 0
    expect(await of.verify(stored, password)).toBe(false)
    return compared.map((phc) => {
      const [, algorithm, version, costs, salt = '', tag = ''] = phc.split('$')
      return [algorithm, version, costs, Buffer.from(salt, 'base64').length, Buffer.from(tag, 'base64').length]
    })
  }
  const work = await workFor(await passwords.hash('another one altogether'))
  expect(work).toEqual([['argon2id', 'v=19', 'm=19456,t=2,p=1', 16, 32]])
  expect(await workFor(null)).toEqual(work)
  // One made with a pepper that is not ours.
  const elsewhere = await createPasswords({ ...parts, peppers: peppersOf(7, 8) }).hash(password)
  expect(await workFor(elsewhere)).toEqual(work)
})

// Origin: test.c of the reference implementation (P-H-C/phc-winner-argon2), Argon2id version 0x13.
test('C04 the library agrees with the reference implementation', async () => {
  const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verify(reference, 'password')).toBe(true)
  expect(await verify(reference, 'passwore')).toBe(false)
})
