import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import {
  accept,
  expectStatus,
  type OwnWorld,
  openWorld,
  password,
  type TestTenant,
} from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'

let world: OwnWorld
let tenant: TestTenant
let roles: Readonly<Record<string, string>>

beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' } })
  tenant = await world.tenant('acme')
  const listed: readonly { name: string; id: string }[] = (await tenant.admin.get('/iam/roles')).body.data
  roles = Object.fromEntries(listed.map(({ name, id }) => [name, id]))
})
afterAll(() => world.close())

let addresses = 0
const from = () => ({ headers: { 'x-forwarded-for': `198.51.${Math.floor(++addresses / 200)}.${addresses % 200}` } })
const inTenant = <Row>(statement: Sql<Row>) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))

interface Person {
  readonly id: string
  readonly email: string
}

async function person(name: string, role = 'viewer'): Promise<Person> {
  const email = `${name}@acme.example`
  const made = expectStatus(await tenant.admin.post('/iam/users', { email, role_ids: [roles[role]] }), 201).body.data
  await accept(world.stranger, made.invitation_url)
  return { id: made.id, email }
}

const login = (email: string, mfa_code?: string, secret = password): Promise<TestAnswer> =>
  world.stranger.post(
    '/auth/login',
    { email, password: secret, ...(mfa_code === undefined ? {} : { mfa_code }) },
    from(),
  )

async function signedIn(who: Person, code?: string): Promise<TestClient> {
  return world.stranger.with(expectStatus(await login(who.email, code), 200).body.data.access_token)
}

/** As an authenticator app has it: the code of now, or of so many steps from now. */
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
/** As if the codes used so far had been used long ago. */
const laterOn = (who: Person) => inTenant(sql`update iam_factor set last_step = 0 where user_id = ${who.id}`)
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

interface Enrolled {
  readonly secret: string
  readonly factorId: string
  readonly codes: readonly string[]
}

async function enroll(client: TestClient, enrollment_token?: string): Promise<Enrolled> {
  const token = enrollment_token === undefined ? {} : { enrollment_token }
  const started = expectStatus(await client.post('/auth/mfa/totp', token, from()), 200).body.data
  const verify = { ...token, factor_id: started.factor_id, code: codeOf(started.secret_base32) }
  const done = expectStatus(await client.post('/auth/mfa/totp/verify', verify, from()), 200).body.data
  return { secret: started.secret_base32, factorId: started.factor_id, codes: done.recovery_codes }
}

describe('an authenticator app', () => {
  test('is added with a secret as text, URI and picture, and asked for from then on', async () => {
    const ada = await person('ada')
    const first = await signedIn(ada)
    const other = await signedIn(ada)
    const started = expectStatus(await first.post('/auth/mfa/totp', { name: 'Phone' }), 200).body.data
    expect(started.otpauth_uri).toContain(`secret=${started.secret_base32}&issuer=Parapet`)
    expect(started.otpauth_uri).toContain('Parapet:ada%40acme.example')
    expect(started.qr_svg).toMatch(/^<svg/)
    const { factor_id } = started
    const wrong = await first.post('/auth/mfa/totp/verify', { factor_id, code: codeOf(started.secret_base32, 7) })
    expect(wrong.body.error_code).toBe('AUTH-007')
    // Not active yet, so not asked for.
    expect((await login(ada.email)).status).toBe(200)
    const code = codeOf(started.secret_base32)
    const done = expectStatus(await first.post('/auth/mfa/totp/verify', { factor_id, code }), 200).body.data
    expect(done.recovery_codes).toHaveLength(10)
    expect(new Set(done.recovery_codes.map((one: string) => /^0\d{15}$/.test(one)))).toEqual(new Set([true]))
    expect((await other.get('/auth/me')).status).toBe(401)
    const me = (await first.get('/auth/me')).body.data
    expect(me.mfa).toEqual({ enrolled: true, methods: ['totp'], required: false, deadline: null })
    expect(me.factors).toMatchObject([{ id: factor_id, kind: 'totp', name: 'Phone' }])
    expect(me.recovery_codes_left).toBe(10)
    const asked = await login(ada.email)
    expect(asked.body).toMatchObject({ status: 401, error_code: 'AUTH-006' })
    expect(asked.body.mfa).toMatchObject({
      methods: ['totp', 'recovery_code'],
      enrollment_required: false,
      expires_in: 600,
    })
    expect((await login(ada.email, code)).body.error_code).toBe('AUTH-007')
    await laterOn(ada)
    const entered = expectStatus(await login(ada.email, codeOf(started.secret_base32)), 200).body.data
    expect(claimsOf(entered.access_token)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' })
    const stored = JSON.stringify(await inTenant(sql`select encode(secret, 'escape') as secret from iam_factor`))
    expect(stored).not.toContain(started.secret_base32)
    const listed = await tenant.admin.get('/iam/users', { query: { mfa_enrolled: 'true' } })
    expect(listed.body.data.map(({ id }: Person) => id)).toContain(ada.id)
  })

  test('has codes that open one session each, also when fifty use one at once', async () => {
    const busy = await person('busy')
    const { secret } = await enroll(await signedIn(busy))
    await laterOn(busy)
    const code = codeOf(secret)
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(busy.email, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error_code))
    expect([...refused].every((told) => ['AUTH-007', 'AUTH-008', 'API-009'].includes(told))).toBe(true)
  })

  test('C06 with a wrong code is refused like a wrong password, and counts like one', async () => {
    const eve = await person('eve')
    const { secret } = await enroll(await signedIn(eve))
    const plain = ({ status, body }: TestAnswer) => {
      const { request_id: _id, timestamp: _at, meta: _meta, ...rest } = body
      return { status, rest }
    }
    const wrongCode = await login(eve.email, codeOf(secret, 9))
    expect(plain(wrongCode)).toEqual(plain(await login(eve.email, undefined, 'wrong')))
    for (let tries = 0; tries < 3; tries += 1) await login(eve.email, codeOf(secret, 9))
    await laterOn(eve)
    expect((await login(eve.email, codeOf(secret))).body.error_code).toBe('AUTH-008')
  })
})

describe('recovery codes', () => {
  test('stand in for the app once each, and a new set kills the old one', async () => {
    const rose = await person('rose')
    const { codes } = await enroll(await signedIn(rose))
    const [first = '', second = ''] = codes
    const session = await signedIn(rose, first)
    expect((await login(rose.email, first)).body.error_code).toBe('AUTH-007')
    const race = await Promise.all(Array.from({ length: 5 }, () => login(rose.email, second)))
    expect(race.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await session.get('/auth/me')).body.data.recovery_codes_left).toBe(8)
    const renewed = expectStatus(await session.post('/auth/mfa/recovery-codes'), 200).body.data.recovery_codes
    await inTenant(sql`delete from iam_login_guard`)
    expect((await login(rose.email, codes[2])).body.error_code).toBe('AUTH-007')
    expect((await login(rose.email, renewed[2])).status).toBe(200)
    const stored = JSON.stringify(await inTenant(sql`select hash from iam_recovery_code`))
    expect(stored).toContain('$argon2id$')
    expect(stored).not.toContain(renewed[3])
  })
})

describe('where a second factor is demanded', () => {
  test('a session without one lasts as long as the grace, and afterwards one can only enroll', async () => {
    const boss = await person('boss', 'tenant_admin')
    const entered = expectStatus(await login(boss.email), 200).body.data
    const seen = (await tenant.admin.get(`/iam/users/${boss.id}`)).body.data.mfa
    expect(seen).toMatchObject({ enrolled: false, required: true })
    const days = (Date.parse(seen.deadline) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.99)
    expect(days).toBeLessThan(7.01)
    await inTenant(sql`update iam_user set mfa_deadline = now() - interval '1 day' where id = ${boss.id}`)
    const late = await world.stranger.post('/auth/refresh', { refresh_token: entered.refresh_token })
    expect(late.body.error_code).toBe('AUTH-003')
    const asked = await login(boss.email)
    expect(asked.body).toMatchObject({
      error_code: 'AUTH-006',
      mfa: { methods: ['totp', 'passkey'], enrollment_required: true },
    })
    const { challenge } = asked.body.mfa
    const forged = `${challenge.slice(0, -3)}AAA`
    const refused = await world.stranger.post('/auth/mfa/totp', { enrollment_token: forged }, from())
    expect(refused.body.error_code).toBe('AUTH-002')
    expect((await world.stranger.with(challenge).get('/auth/me')).status).toBe(401)
    const { secret } = await enroll(world.stranger, challenge)
    const again = await world.stranger.post('/auth/mfa/totp', { enrollment_token: challenge }, from())
    expect(again.body.error_code).toBe('AUTH-002')
    await laterOn(boss)
    const session = await signedIn(boss, codeOf(secret))
    expect((await session.get('/iam/users')).status).toBe(200)
    expect((await tenant.admin.get(`/iam/users/${boss.id}`)).body.data).toMatchObject({
      mfa: { enrolled: true, deadline: null },
      factors: [{ kind: 'totp', created_at: expect.any(String) }],
    })
  })

  test('the last factor stays, and a token of the old password enrolls nobody', async () => {
    const chief = await person('chief', 'tenant_admin')
    const client = await signedIn(chief)
    const { factorId } = await enroll(client)
    const kept = await client.delete(`/auth/mfa/${factorId}`)
    expect(kept.body).toMatchObject({ status: 409, error_code: 'IAM-007' })
    expect((await login(chief.email)).body.error_code).toBe('AUTH-006')
    const [{ hash } = { hash: '' }] = await inTenant(
      sql<{ hash: string }>`select password_hash as hash from iam_user where id = ${chief.id}`,
    )
    const helper = await person('helper', 'tenant_admin')
    await inTenant(sql`update iam_user set mfa_deadline = now() - interval '1 day' where id = ${helper.id}`)
    const { challenge } = (await login(helper.email)).body.mfa
    await inTenant(sql`update iam_user set password_hash = ${hash} where id = ${helper.id}`)
    const stale = await world.stranger.post('/auth/mfa/totp', { enrollment_token: challenge }, from())
    expect(stale.body.error_code).toBe('AUTH-002')
  })

  test('a tenant says of whom and which kinds', async () => {
    const strict = await world.tenant('strict')
    const settings = { mfa_policy: 'all', mfa_allowed_methods: ['passkey'] }
    const before = await world.operator.get(`/iam/tenants/${strict.id}`)
    expect(before.body.data.effective_settings).toMatchObject({ mfa_policy: 'admins' })
    await world.kernel.db.tenant({ tenantId: strict.id }, (tx) =>
      tx.execute(sql`update iam_tenant set settings = ${JSON.stringify(settings)}::jsonb where id = ${strict.id}`),
    )
    const seen = (await world.operator.get(`/iam/tenants/${strict.id}`)).body.data
    expect(seen.effective_settings).toMatchObject(settings)
    const refused = await strict.admin.post('/auth/mfa/totp', {})
    expect(refused.body.error_code).toBe('API-011')
  })
})

describe('stepping up', () => {
  test('is asked for by RFC 9470 where the proof is old, and gives a fresh token', async () => {
    const sue = await person('sue')
    const session = await signedIn(sue)
    const { secret, factorId } = await enroll(session)
    await inTenant(sql`update iam_session set auth_time = now() - interval '1 hour' where user_id = ${sue.id}`)
    await laterOn(sue)
    const { refresh_token } = expectStatus(await login(sue.email, codeOf(secret)), 200).body.data
    await inTenant(sql`update iam_session set auth_time = now() - interval '1 hour' where user_id = ${sue.id}`)
    const stale = world.stranger.with(
      expectStatus(await world.stranger.post('/auth/refresh', { refresh_token }), 200).body.data.access_token,
    )
    const refused = await stale.delete(`/auth/mfa/${factorId}`)
    expect(refused.body.error_code).toBe('AUTH-009')
    expect(refused.headers['www-authenticate']).toMatch(/error="insufficient_user_authentication", max_age=600/)
    expect((await stale.post('/auth/mfa/totp', {})).body.error_code).toBe('AUTH-009')
    // The password alone may have been seen by a passer-by at an open desk.
    expect((await stale.post('/auth/step-up', { password }, from())).body.error_code).toBe('AUTH-007')
    expect((await stale.post('/auth/step-up', {}, from())).body.error_code).toBe('API-001')
    await laterOn(sue)
    const code = codeOf(secret)
    const fresh = expectStatus(await stale.post('/auth/step-up', { code }, from()), 200).body.data
    expect(fresh).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2', token_type: 'Bearer' })
    expect(claimsOf(fresh.access_token).auth_time).toBe(fresh.auth_time)
    expect((await stale.post('/auth/step-up', { code }, from())).body.error_code).toBe('AUTH-007')
    const renewed = world.stranger.with(fresh.access_token)
    expect((await renewed.delete(`/auth/mfa/${factorId}`)).body.data).toEqual({ id: factorId, deleted: true })
    expect((await renewed.get('/auth/me')).body.data).toMatchObject({ factors: [], recovery_codes_left: 0 })
    expect((await login(sue.email)).status).toBe(200)
  })

  test('is by password where there is no factor, and not for keys', async () => {
    const joe = await person('joe')
    const session = await signedIn(joe)
    expect((await session.post('/auth/step-up', { password: 'wrong' }, from())).body.error_code).toBe('AUTH-007')
    const fresh = expectStatus(await session.post('/auth/step-up', { password }, from()), 200).body.data
    expect(fresh).toMatchObject({ amr: ['pwd'], acr: 'aal1' })
    const key = (await tenant.admin.post('/iam/api-keys', { name: 'Robot', scopes: ['iam:read'] })).body.data.secret
    expect((await world.stranger.with(key).post('/auth/step-up', { password })).body.error_code).toBe('AUTH-009')
    expect((await world.stranger.with(key).post('/auth/mfa/totp', {})).body.error_code).toBe('AUTH-009')
  })

  test('nobody removes or confirms the factor of somebody else', async () => {
    const one = await person('one')
    const two = await signedIn(await person('two'))
    const { factorId, secret } = await enroll(await signedIn(one))
    expect((await two.delete(`/auth/mfa/${factorId}`)).body.error_code).toBe('API-013')
    const stolen = await two.post('/auth/mfa/totp/verify', { factor_id: factorId, code: codeOf(secret) })
    expect(stolen.body.error_code).toBe('API-013')
  })
})
