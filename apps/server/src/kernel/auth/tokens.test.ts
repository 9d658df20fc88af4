import { createHmac, createPublicKey, generateKeyPairSync, sign as signWith } from 'node:crypto'
import fc from 'fast-check'
import { CompactEncrypt, importJWK, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { held } from '../../../test/support/matrices.ts'
import type { TenantId } from '../access/actor.ts'
import { createRandom } from '../crypto/random.ts'
import { ProblemError } from '../errors/problem.ts'
import { handClock, memorySigningKeys } from './testing/fakes.ts'
import { createTokens } from './tokens.ts'

const publicUrl = 'https://parapet.example'
const clock = handClock()
const random = createRandom(clock.now)
const keys = memorySigningKeys()
const tokens = createTokens({ keys, clock, random, publicUrl })
const now = Math.floor(clock.now() / 1000)

const claims = {
  sub: random.uuid(),
  tid: random.uuid() as TenantId,
  sid: random.uuid(),
  role: 'viewer',
  permissions: ['risk:read'],
  auth_time: now,
  amr: ['pwd'],
  acr: 'aal1',
}
const refresh = { sub: claims.sub, tid: claims.tid, sid: claims.sid, jti: 'one', iat: now, exp: now + 86_400 }

const { token: good } = await tokens.signAccess(claims)
const [head = '', body = '', tail = ''] = good.split('.')
const header = JSON.parse(Buffer.from(head, 'base64url').toString())
const payload = JSON.parse(Buffer.from(body, 'base64url').toString())

const segment = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Correctly signed by our own active key, with any content: only the checks of form and claims can refuse it. */
async function ours(changedHeader: unknown, changedPayload: unknown): Promise<string> {
  const signed = `${segment(changedHeader)}.${segment(changedPayload)}`
  const { signature } = await keys.sign('token', Buffer.from(signed))
  return `${signed}.${Buffer.from(signature).toString('base64url')}`
}

function codeOf(check: () => unknown): string {
  try {
    check()
  } catch (error) {
    if (error instanceof ProblemError) return `${error.status} ${error.code}`
    throw error
  }
  return 'accepted'
}

const without = (object: object, name: string) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))

test('a token that was signed is read back with all its claims, for one hour', async () => {
  expect(tokens.verifyAccess(good)).toEqual({ ...claims, iat: now, exp: now + 3_600, jti: expect.any(String) })
  expect((await tokens.signAccess(claims)).expiresIn).toBe(3_600)
})

test('an independent library accepts our token with the published key', async () => {
  const [jwk] = keys.jwks().keys
  const result = await jwtVerify(good, await importJWK({ ...jwk }, 'EdDSA'), {
    issuer: publicUrl,
    audience: 'parapet',
    typ: 'at+jwt',
    algorithms: ['EdDSA'],
    currentDate: new Date(clock.now()),
  })
  expect(result.payload.sub).toBe(claims.sub)
})

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('ed25519')
const publicJwk = keys.jwks().keys[0]
const publicPem = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: keys.publicX() } }).export({
  format: 'pem',
  type: 'spki',
})

const hmac = (key: string | Buffer) => {
  const signed = `${segment({ ...header, alg: 'HS256' })}.${body}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
const byStranger = (changed: object) => {
  const signed = `${segment({ ...header, ...changed })}.${body}`
  return `${signed}.${signWith(null, Buffer.from(signed), stranger.privateKey).toString('base64url')}`
}

const attacks: readonly (readonly [string, () => string | Promise<string>])[] = [
  ...['none', 'None', 'NONE', 'nOnE'].flatMap((alg) => [
    [`alg ${alg} without signature`, () => `${segment({ ...header, alg })}.${body}.`] as const,
    [`alg ${alg} with the old signature`, () => `${segment({ ...header, alg })}.${body}.${tail}`] as const,
    [`alg ${alg}, well signed`, () => ours({ ...header, alg }, payload)] as const,
  ]),
  ['an unsecured token of a library', () => new UnsecuredJWT({ ...payload }).encode()],
  ['HS256 with the public key as PEM', () => hmac(publicPem.toString())],
  ['HS256 with the public key raw', () => hmac(Buffer.from(keys.publicX(), 'base64url'))],
  ['HS256 with the public key as JWK', () => hmac(JSON.stringify(publicJwk))],
  [
    'RS256 by an own key',
    () => new SignJWT({ ...payload }).setProtectedHeader({ ...header, alg: 'RS256' }).sign(rsa.privateKey),
  ],
  ['EdDSA by an own key', () => byStranger({})],
  ['EdDSA spelled Ed25519', () => ours({ ...header, alg: 'Ed25519' }, payload)],
  ['an own key in the header', () => byStranger({ jwk: stranger.publicKey.export({ format: 'jwk' }) })],
  ['a key address in the header', () => byStranger({ jku: 'https://evil.example/jwks.json' })],
  ['a certificate in the header', () => byStranger({ x5u: 'https://evil.example/cert', x5c: ['MIIB'] })],
  ['kid that walks folders', () => ours({ ...header, kid: '../../../../dev/null' }, payload)],
  ['kid with SQL', () => ours({ ...header, kid: "' union select 'x" }, payload)],
  ['kid of another key', () => ours({ ...header, kid: 'A'.repeat(43) }, payload)],
  ['kid that is a number', () => ours({ ...header, kid: 1 }, payload)],
  ['kid that names a member of every object', () => ours({ ...header, kid: '__proto__' }, payload)],
  ['no kid', () => ours(without(header, 'kid'), payload)],
  ['no typ', () => ours(without(header, 'typ'), payload)],
  ['typ JWT', () => ours({ ...header, typ: 'JWT' }, payload)],
  ['typ in capitals', () => ours({ ...header, typ: 'AT+JWT' }, payload)],
  ['a refresh token as access token', () => tokens.signRefresh(refresh)],
  ['a refresh token renamed', () => ours(header, { ...payload, aud: 'parapet-refresh' })],
  ['unknown crit', () => ours({ ...header, crit: ['exp'] }, payload)],
  ['b64 false', () => ours({ ...header, b64: false, crit: ['b64'] }, payload)],
  ['compressed', () => ours({ ...header, zip: 'DEF' }, payload)],
  ...['exp', 'iat', 'iss', 'aud', 'sub', 'tid', 'sid', 'jti', 'role', 'permissions', 'auth_time', 'amr', 'acr'].map(
    (name) => [`no ${name}`, () => ours(header, without(payload, name))] as const,
  ),
  ['exp as text', () => ours(header, { ...payload, exp: String(payload.exp) })],
  ['exp as fraction', () => ours(header, { ...payload, exp: payload.exp - 0.5 })],
  ['exp far away', () => ours(header, { ...payload, exp: payload.exp + 1 })],
  ['exp before iat', () => ours(header, { ...payload, exp: payload.iat })],
  ['iat in the future', () => ours(header, { ...payload, iat: now + 6, exp: now + 3_606 })],
  ['not yet valid', () => ours(header, { ...payload, nbf: now + 60 })],
  ['another audience', () => ours(header, { ...payload, aud: 'other' })],
  ['a list of audiences', () => ours(header, { ...payload, aud: ['parapet'] })],
  ['another issuer', () => ours(header, { ...payload, iss: `${publicUrl}/` })],
  ['sub that is no id', () => ours(header, { ...payload, sub: 'admin' })],
  ['tid in capitals', () => ours(header, { ...payload, tid: 'ABCDEF00-0000-7000-8000-000000000000' })],
  ['sid of another version', () => ours(header, { ...payload, sid: '018f3c2e-7a51-4cc4-9d1e-0242ac120002' })],
  ['permissions as text', () => ours(header, { ...payload, permissions: 'risk:admin' })],
  ['edited payload', () => `${head}.${segment({ ...payload, role: 'super_admin' })}.${tail}`],
  ['stripped signature', () => `${head}.${body}.`],
  ['cut signature', () => good.slice(0, -1)],
  ['longer signature', () => `${good}A`],
  ['signature of zeros', () => `${head}.${body}.${'A'.repeat(86)}`],
  ['signature spelled otherwise', () => good.slice(0, -1) + nextLetter(good.at(-1) ?? '')],
  ['four segments', () => `${good}.${tail}`],
  ['two segments', () => `${head}.${body}`],
  [
    'an encrypted token',
    () =>
      new CompactEncrypt(Buffer.from(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(new Uint8Array(32)),
  ],
  ['padding', () => `${head}=.${body}.${tail}`],
  ['leading blank', () => ` ${good}`],
  ['trailing blank', () => `${good} `],
  ['trailing newline', () => `${good}\n`],
  ['blank inside', () => `${head} .${body}.${tail}`],
  ['NUL behind', () => `${good}\0`],
  ['standard base64 letters', () => good.replace(/[A-Za-z0-9_-]/, '+')],
  ['duplicate member in the header', () => ours(`{"alg":"none",${JSON.stringify(header).slice(1)}`, payload)],
  ['duplicate member in the payload', () => ours(header, `{"role":"super_admin",${JSON.stringify(payload).slice(1)}`)],
  ['blanks in the JSON', () => ours(header, JSON.stringify(payload, null, 1))],
  ['escaped letters in the JSON', () => ours(header, JSON.stringify(payload).replace('viewer', '\\u0076iewer'))],
  ['a byte order mark', () => ours(header, `\ufeff${JSON.stringify(payload)}`)],
  ['payload that is a list', () => ours(header, [payload])],
  ['payload that is null', () => ours(header, null)],
  ['payload that is no JSON', () => ours(header, 'hello')],
  ['a header of one megabyte', () => `${'A'.repeat(1_048_576)}.${body}.${tail}`],
  ['empty', () => ''],
  ['two dots', () => '..'],
]

/** Another last letter with the same 2 used bits: the bytes stay, the spelling changes. */
function nextLetter(letter: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(letter) + 1] ?? ''
}

describe('C01 refused alike', () => {
  test.each(attacks)('%s', async (_, forge) => {
    const forged = await forge()
    expect(codeOf(() => tokens.verifyAccess(forged))).toBe('401 AUTH-002')
  })

  test('the list would notice an acceptance: the same hands make a good token', async () => {
    held('forged tokens', attacks.length)
    expect(codeOf(() => tokens.verifyAccess('x'))).toBe('401 AUTH-002')
    expect(tokens.verifyAccess(await ours(header, payload)).sub).toBe(claims.sub)
  })

  test('bytes that are not UTF-8', async () => {
    const signed = `${head}.${Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]).toString('base64url')}`
    const { signature } = await keys.sign('token', Buffer.from(signed))
    expect(codeOf(() => tokens.verifyAccess(`${signed}.${Buffer.from(signature).toString('base64url')}`))).toBe(
      '401 AUTH-002',
    )
  })

  test('any one character changed', () => {
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.constantFrom(...'Aa0_-.+/= \n'), (at, letter) => {
        fc.pre(good[at] !== letter)
        expect(codeOf(() => tokens.verifyAccess(good.slice(0, at) + letter + good.slice(at + 1)))).toBe('401 AUTH-002')
      }),
      { numRuns: 500 },
    )
  })

  test('any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.stringMatching(/^[A-Za-z0-9_-]{0,9}\.[A-Za-z0-9_-]{0,9}\.[A-Za-z0-9_-]{86}$/),
        ),
        (text) => {
          expect(codeOf(() => tokens.verifyAccess(text))).toBe('401 AUTH-002')
        },
      ),
    )
  })
})

test('C01 an ended token says so, after five seconds of skew, and only when its signature is good', async () => {
  const late = handClock(clock.now())
  const later = createTokens({ keys, clock: late, random, publicUrl })
  late.advance(3_604_000)
  expect(codeOf(() => later.verifyAccess(good))).toBe('accepted')
  late.advance(1_000)
  expect(codeOf(() => later.verifyAccess(good))).toBe('401 AUTH-003')
  expect(codeOf(() => later.verifyAccess(`${head}.${body}.${'A'.repeat(86)}`))).toBe('401 AUTH-002')
})

test('C01 a refresh token is for refreshing only, and equal claims give equal bytes', async () => {
  const token = await tokens.signRefresh(refresh)
  expect(await tokens.signRefresh({ ...refresh })).toBe(token)
  expect(tokens.verifyRefresh(token)).toEqual(refresh)
  expect(codeOf(() => tokens.verifyAccess(token))).toBe('401 AUTH-002')
  expect(codeOf(() => tokens.verifyRefresh(good))).toBe('401 AUTH-002')
  const endless = await tokens.signRefresh({ ...refresh, exp: now + 31 * 86_400 })
  expect(codeOf(() => tokens.verifyRefresh(endless))).toBe('401 AUTH-002')
})

test('a token of the key before stays good after a rotation', async () => {
  const rotating = memorySigningKeys()
  const own = createTokens({ keys: rotating, clock, random, publicUrl })
  const { token } = await own.signAccess(claims)
  rotating.rotate()
  expect(own.verifyAccess(token).sid).toBe(claims.sid)
})

test('a rotation between naming the key and signing does not make a token with the wrong name', async () => {
  const rotating = memorySigningKeys()
  const first = rotating.activeKid('token')
  let asked = 0
  const own = createTokens({
    keys: { ...rotating, activeKid: () => (asked++ === 0 ? 'A'.repeat(43) : first) },
    clock,
    random,
    publicUrl,
  })
  expect(own.verifyAccess((await own.signAccess(claims)).token).sid).toBe(claims.sid)
})
