/** Rotation of an issuer's keys, by a clock that the test moves. */
import { exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createIssuerKeys } from './issuer-keys.ts'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

const issuer = 'https://issuer.example'
let published: JWK[]
let asked: string[]

beforeEach(() => {
  published = []
  asked = []
  // Timers stay real, for the library waits for nothing by them.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) })
})
afterEach(() => void vi.useRealTimers())

const egress = {
  fetch: async ({ url }: { readonly url: string }) => {
    asked.push(new URL(url).pathname)
    const body = url.endsWith('/keys') ? { keys: published } : { issuer, jwks_uri: `${issuer}/keys` }
    return {
      ...{ status: 200, headers: { 'content-type': 'application/json' } },
      bytes: async () => Buffer.from(JSON.stringify(body)),
    }
  },
}

const jwkOf = async ({ publicKey }: KeyPair, kid: string): Promise<JWK> => ({ ...(await exportJWK(publicKey)), kid })
const newPair = () => generateKeyPair('ES256', { extractable: true })
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)
const timesAsked = () => asked.filter((path) => path === '/keys').length

async function verifies(keys: ReturnType<typeof createIssuerKeys>, pair: KeyPair, kid: string): Promise<boolean> {
  const token = await new SignJWT({ iss: issuer }).setProtectedHeader({ alg: 'ES256', kid }).sign(pair.privateKey)
  return jwtVerify(token, await keys(issuer)).then(
    () => true,
    () => false,
  )
}

test('a new key is read when a token names it, and an old one is good no longer than ten minutes after its end', async () => {
  const keys = createIssuerKeys(egress as never, () => Date.now())
  const [first, second] = [await newPair(), await newPair()]
  published = [await jwkOf(first, 'a')]
  expect(await verifies(keys, first, 'a')).toBe(true)
  expect(timesAsked()).toBe(1)
  published = [await jwkOf(second, 'b')]
  // Not within the pause between two looks: tokens could make it ask without end.
  expect([await verifies(keys, second, 'b'), timesAsked()]).toEqual([false, 1])
  later(31)
  expect([await verifies(keys, second, 'b'), timesAsked()]).toEqual([true, 2])
  expect(await verifies(keys, first, 'a')).toBe(false)
})

test('a key that the issuer took back stops counting by itself', async () => {
  const keys = createIssuerKeys(egress as never, () => Date.now())
  const pair = await newPair()
  published = [await jwkOf(pair, 'a')]
  expect(await verifies(keys, pair, 'a')).toBe(true)
  published = []
  later(590)
  expect(await verifies(keys, pair, 'a')).toBe(true)
  later(11)
  expect(await verifies(keys, pair, 'a')).toBe(false)
})
