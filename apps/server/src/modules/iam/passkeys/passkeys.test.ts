import { WebAuthnEmulator } from 'nid-webauthn-emulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import {
  accept,
  expectStatus,
  openWorld,
  password,
  type TestTenant,
  type World,
} from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { makeSamlProvider } from '../sso/testing/saml-provider.ts'
import { activate } from '../sso/testing/sso-world.ts'

const origin = 'https://parapet.example'
let world: World
let tenant: TestTenant
let viewerRole: string

beforeAll(async () => {
  world = await openWorld({
    environment: { PARAPET_PUBLIC_URL: origin, PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' },
  })
  tenant = await world.tenant('acme')
  viewerRole = (await tenant.admin.get('/iam/roles?q=viewer')).body.data[0].id
})
afterAll(() => world.close())

let addresses = 0
const from = () => ({ headers: { 'x-forwarded-for': `203.0.113.${++addresses}` } })
const inTenant = <Row>(statement: Sql<Row>) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))

interface Person {
  readonly id: string
  readonly email: string
  readonly client: TestClient
}

async function person(name: string): Promise<Person> {
  const email = `${name}@acme.example`
  const made = expectStatus(await tenant.admin.post('/iam/users', { email, role_ids: [viewerRole] }), 201).body.data
  await accept(world.stranger, made.invitation_url)
  const entered = expectStatus(await world.stranger.post('/auth/login', { email, password }, from()), 200).body.data
  return { id: made.id, email, client: world.stranger.with(entered.access_token) }
}

const registrationOptions = async (client: TestClient) =>
  expectStatus(await client.post('/auth/passkeys/registration-options', {}), 200).body.data
const loginOptions = async (body: object = {}) =>
  expectStatus(await world.stranger.post('/auth/passkeys/authentication-options', body, from()), 200).body.data
const enter = (credential: unknown) => world.stranger.post('/auth/passkeys/login', { credential }, from())

async function register(client: TestClient, device: WebAuthnEmulator) {
  const credential = device.createJSON(origin, await registrationOptions(client))
  return expectStatus(await client.post('/auth/passkeys', { name: 'Key', credential }), 200).body.data
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('a passkey', () => {
  test('is added by a fresh session, opens one without a name, and counts as two factors', async () => {
    const ada = await person('ada')
    const device = new WebAuthnEmulator()
    const options = await registrationOptions(ada.client)
    expect(options).toMatchObject({
      rp: { id: 'parapet.example' },
      user: { name: ada.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const made = await register(ada.client, device)
    expect(made.recovery_codes).toHaveLength(10)
    const me = (await ada.client.get('/auth/me')).body.data
    expect(me.mfa).toMatchObject({ enrolled: true, methods: ['passkey'] })
    expect(me.factors).toMatchObject([{ id: made.factor_id, kind: 'passkey', name: 'Key' }])
    const asked = await loginOptions()
    expect(asked).toMatchObject({ rpId: 'parapet.example', userVerification: 'required', allowCredentials: [] })
    const entered = expectStatus(await enter(device.getJSON(origin, asked)), 200)
    expect(entered.headers['set-cookie']).toContain('__Host-parapet-device=')
    expect(claimsOf(entered.body.data.access_token)).toMatchObject({ sub: ada.id, amr: ['swk', 'user'], acr: 'aal2' })
    const sessions = (await world.stranger.with(entered.body.data.access_token).get('/iam/sessions')).body.data
    expect(sessions.find(({ current }: { current: boolean }) => current)).toMatchObject({ created_via: 'passkey' })
    // The password alone is no longer enough, but it reveals which passkey to ask for.
    const half = await world.stranger.post('/auth/login', { email: ada.email, password }, from())
    expect(half.body).toMatchObject({ error_code: 'AUTH-006', mfa: { methods: ['passkey', 'recovery_code'] } })
    const named = await loginOptions({ challenge: half.body.mfa.challenge })
    expect(named.allowCredentials).toHaveLength(1)
    expect((await enter(device.getJSON(origin, named))).status).toBe(200)
    const second = await registrationOptions(world.stranger.with(entered.body.data.access_token))
    expect(second.excludeCredentials).toHaveLength(1)
  })

  test('is not added by a session whose proof is old, nor by a key', async () => {
    const old = await person('old')
    const { refresh_token } = (await world.stranger.post('/auth/login', { email: old.email, password }, from())).body
      .data
    await inTenant(sql`update iam_session set auth_time = now() - interval '1 hour' where user_id = ${old.id}`)
    const stale = (await world.stranger.post('/auth/refresh', { refresh_token })).body.data.access_token
    const refused = await world.stranger.with(stale).post('/auth/passkeys/registration-options', {})
    expect(refused.body.error_code).toBe('AUTH-009')
    expect((await world.stranger.post('/auth/passkeys/registration-options', {})).body.error_code).toBe('AUTH-001')
  })

  test('works where guessing has locked the account, and lifts the lock', async () => {
    const guessed = await person('guessed')
    const device = new WebAuthnEmulator()
    await register(guessed.client, device)
    for (let tries = 0; tries < 6; tries += 1) {
      await world.stranger.post('/auth/login', { email: guessed.email, password: 'wrong' }, from())
    }
    await inTenant(sql`update iam_user set status = 'locked' where id = ${guessed.id}`)
    expect((await enter(device.getJSON(origin, await loginOptions()))).status).toBe(200)
    expect((await tenant.admin.get(`/iam/users/${guessed.id}`)).body.data.status).toBe('active')
    await inTenant(sql`update iam_user set status = 'suspended' where id = ${guessed.id}`)
    expect((await enter(device.getJSON(origin, await loginOptions()))).body.error_code).toBe('AUTH-015')
  })

  test('makes a session fresh again, its owner’s only', async () => {
    const sue = await person('sue')
    const eve = await person('eve')
    const device = new WebAuthnEmulator()
    await register(sue.client, device)
    const stepUp = async (client: TestClient, passkey: unknown) => client.post('/auth/step-up', { passkey }, from())
    const fresh = expectStatus(await stepUp(sue.client, device.getJSON(origin, await loginOptions())), 200).body.data
    expect(fresh.amr).toEqual(expect.arrayContaining(['pwd', 'swk', 'user', 'mfa']))
    const foreign = await stepUp(eve.client, device.getJSON(origin, await loginOptions()))
    expect(foreign.body.error_code).toBe('AUTH-007')
  })
})

test('a passkey opens nothing where single sign-on is enforced, but for emergencies, and then raises an alarm', async () => {
  const [left, chief] = [await person('left'), await person('chief')]
  const [device, spare] = [new WebAuthnEmulator(), new WebAuthnEmulator()]
  await register(left.client, device)
  const connection = expectStatus(
    await tenant.admin.post('/iam/sso-connections', {
      name: 'Company directory',
      type: 'saml',
      domains: ['acme.example'],
      saml: { idp_metadata_xml: (await makeSamlProvider()).metadata },
      enforced: true,
      break_glass_user_ids: [chief.id],
    }),
    201,
  ).body.data
  expect((await enter(device.getJSON(origin, await loginOptions()))).status).toBe(200)
  expectStatus(await activate(world, tenant.admin, connection.id), 200)
  expect((await enter(device.getJSON(origin, await loginOptions()))).body.error_code).toBe('AUTH-013')
  await register(chief.client, spare)
  expect((await enter(spare.getJSON(origin, await loginOptions()))).status).toBe(200)
  const alarms = () => inTenant(sql`select subject from event_log where channel = 'iam.break_glass.used'`)
  await expect.poll(alarms).toEqual([{ subject: `user/${chief.id}` }])
  expectStatus(await tenant.admin.patch(`/iam/sso-connections/${connection.id}`, { status: 'disabled' }), 200)
  expect((await enter(device.getJSON(origin, await loginOptions()))).status).toBe(200)
})

describe('an answer of an authenticator is refused', () => {
  test('for another origin or relying party, a made up or answered challenge, a copied counter and an unverified user', async () => {
    const rita = await person('rita')
    const device = new WebAuthnEmulator()
    await register(rita.client, device)
    const good = device.getJSON(origin, await loginOptions())
    const changed = (part: 'authenticatorData' | 'signature' | 'clientDataJSON', change: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(good.response[part], 'base64url')
      change(bytes)
      return { ...good, response: { ...good.response, [part]: bytes.toString('base64url') } }
    }
    const clientData = (members: object) => {
      const data = JSON.parse(Buffer.from(good.response.clientDataJSON, 'base64url').toString())
      const text = JSON.stringify({ ...data, ...members })
      return { ...good, response: { ...good.response, clientDataJSON: Buffer.from(text).toString('base64url') } }
    }
    const own = Buffer.alloc(56, 7).toString('base64url')
    const variants = {
      origin: clientData({ origin: 'https://evil.example' }),
      challenge: clientData({ challenge: own }),
      type: clientData({ type: 'webauthn.create' }),
      party: changed('authenticatorData', (bytes) => bytes.fill(1, 0, 32)),
      // Flags: user present, user not verified.
      unverified: changed('authenticatorData', (bytes) => bytes.writeUInt8(0x01, 32)),
      counter: changed('authenticatorData', (bytes) => bytes.writeUInt32BE(99, 33)),
      signature: changed('signature', (bytes) => bytes.writeUInt8((bytes[10] ?? 0) ^ 1, 10)),
      handle: { ...good, response: { ...good.response, userHandle: Buffer.from('somebody').toString('base64url') } },
      unknown: { ...good, id: 'AAAA', rawId: 'AAAA' },
    }
    const told = new Set<string>()
    for (const [name, variant] of Object.entries(variants)) {
      const { status, body } = await enter(variant)
      expect([name, status, body.error_code]).toEqual([name, 401, 'AUTH-015'])
      told.add(JSON.stringify([body.title, body.detail, body.errors]))
    }
    expect(told.size).toBe(1)
    const both = await Promise.all([enter(good), enter(good), enter(good)])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    // A copy of the device that stayed behind in its count.
    await inTenant(sql`update iam_factor set sign_count = 1000 where user_id = ${rita.id}`)
    expect((await enter(device.getJSON(origin, await loginOptions()))).body.error_code).toBe('AUTH-015')
    const why = await inTenant(sql<{ reason: string }>`
      select distinct reason from audit_entry where action = 'auth.passkey_login' and result = 'refused'`)
    expect(why.length).toBeGreaterThan(5)
    const reasons = why.map(({ reason }) => reason).join('\n')
    for (const word of ['origin', 'challenge', 'verified', 'user handle']) expect(reasons).toContain(word)
  })

  test('at registration too, and for the challenge of somebody else or of a sign-in', async () => {
    const max = await person('max')
    const zoe = await person('zoe')
    const device = () => new WebAuthnEmulator()
    const add = (client: TestClient, credential: unknown) => client.post('/auth/passkeys', { credential })
    const mine = await registrationOptions(max.client)
    expect(
      (await add(max.client, device().createJSON(origin, await registrationOptions(zoe.client)))).body.error_code,
    ).toBe('AUTH-015')
    const elsewhere = device().createJSON('https://parapet.example', mine)
    const data = JSON.parse(Buffer.from(elsewhere.response.clientDataJSON, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...data, origin: 'https://evil.example' })).toString('base64url')
    const wrong = { ...elsewhere, response: { ...elsewhere.response, clientDataJSON: forged } }
    expect((await add(max.client, wrong)).body.error_code).toBe('AUTH-015')
    const { challenge } = await loginOptions()
    expect((await add(max.client, device().createJSON(origin, { ...mine, challenge }))).body.error_code).toBe(
      'AUTH-015',
    )
    expect((await add(max.client, elsewhere)).status).toBe(200)
    expect((await add(max.client, elsewhere)).body.error_code).toBe('API-011')
    expect((await add(max.client, { id: 'AAAA' })).body.error_code).toBe('API-001')
  })
})
