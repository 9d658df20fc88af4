import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../../test/support/world.ts'
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import { activate, connectOpenId, exchange, type OpenIdConnection } from '../testing/sso-world.ts'

let world: World
let acme: TestTenant
let directory: OpenIdConnection

beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' } })
  acme = await world.tenant('acme')
  directory = await connectOpenId(world, acme, { group: 'chiefs', role: 'tenant_admin', mode: 'add' })
  expectStatus(await activate(world, acme.admin, directory.id), 200)
})
afterAll(async () => {
  await directory.op.close()
  await world.close()
})
beforeEach(async () => {
  expectStatus(await acme.admin.patch(directory.at, { second_factor_acr: [] }), 200)
})

const inTenant = <Row>(statement: Sql<Row>) =>
  world.kernel.db.tenant({ tenantId: acme.id }, (tx) => tx.query(statement))
const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** An administrator of the tenant comes back from the provider, which has said this of how. */
async function returned(sub: string, said: { amr?: string[]; acr?: string } = {}) {
  directory.speak(sub, { groups: ['chiefs'] })
  Object.assign(directory.op.person, said)
  return directory.callback(await directory.answered())
}

const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

async function enroll(
  bearer: Parameters<World['stranger']['with']>[0] | null,
  enrollment_token?: string,
): Promise<string> {
  const client = bearer === null ? world.stranger : world.stranger.with(bearer)
  const token = enrollment_token === undefined ? {} : { enrollment_token }
  const { factor_id, secret_base32 } = expectStatus(await client.post('/auth/mfa/totp', token), 200).body.data
  const verify = { ...token, factor_id, code: codeOf(secret_base32) }
  expectStatus(await client.post('/auth/mfa/totp/verify', verify), 200)
  await inTenant(sql`update iam_factor set last_step = 0 where id = ${factor_id}`)
  return secret_base32
}

describe('C07 where a second factor is demanded', () => {
  test('a provider that says it saw two is believed', async () => {
    const { data } = expectStatus(await exchange(world, await returned('ann', { amr: ['pwd', 'otp'] })), 200).body
    expect(claimsOf(data.access_token)).toMatchObject({ amr: ['sso', 'pwd', 'otp', 'mfa'], acr: 'aal2' })
    const [session] = expectStatus(await world.stranger.with(data.access_token).get('/iam/sessions'), 200).body.data
    expect(days(session.created_at, session.expires_at)).toBeCloseTo(1, 2)
    expectStatus(await world.stranger.post('/auth/refresh', { refresh_token: data.refresh_token }), 200)
  })

  test('a level counts when an administrator has named it, and a trial says so', async () => {
    const levels = async () => {
      const { trial } = expectStatus(await acme.admin.post(`${directory.at}/test`, { mode: 'login' }), 200).body.data
      directory.speak('bo', { groups: ['chiefs'] })
      directory.op.person.acr = 'urn:high'
      expectStatus(await directory.callback(await directory.answered(trial.login_url)), 303)
      const seen = await acme.admin.post(`${directory.at}/test`, { mode: 'login', trial_id: trial.id })
      return expectStatus(seen, 200).body.data.trial.person.two_factors
    }
    expect(await levels()).toBe(false)
    expectStatus(await acme.admin.patch(directory.at, { second_factor_acr: ['urn:high'] }), 200)
    expect(await levels()).toBe(true)
    const { data } = expectStatus(await exchange(world, await returned('bo', { acr: 'urn:high' })), 200).body
    expect(claimsOf(data.access_token)).toMatchObject({ amr: ['sso', 'mfa'], acr: 'aal2' })
  })

  test('a silent provider gives a session for as long as the grace, and then the way to enroll', async () => {
    const { data } = expectStatus(await exchange(world, await returned('cy')), 200).body
    expect(claimsOf(data.access_token)).toMatchObject({ amr: ['sso'], acr: 'aal1' })
    const seen = expectStatus(await acme.admin.get(`/iam/users/${data.user.id}`), 200).body.data
    expect(days(seen.last_login_at, seen.mfa.deadline)).toBeCloseTo(7, 2)
    await inTenant(sql`update iam_user set mfa_deadline = now() - interval '1 day' where id = ${data.user.id}`)
    const late = await world.stranger.post('/auth/refresh', { refresh_token: data.refresh_token })
    expect(late.body.error_code).toBe('AUTH-003')
    const back = await returned('cy')
    const asked = await exchange(world, back)
    expect(asked.body).toMatchObject({
      error_code: 'AUTH-006',
      mfa: { enrollment_required: true, methods: ['totp', 'passkey'] },
    })
    expect((await exchange(world, back)).body.error_code).toBe('AUTH-002')
    await enroll(null, asked.body.mfa.challenge)
    expect((await exchange(world, await returned('cy'))).body).toMatchObject({
      error_code: 'AUTH-006',
      mfa: { enrollment_required: false },
    })
  })

  test('an account with a factor of its own is asked for it, beside the same code and once', async () => {
    const first = expectStatus(await exchange(world, await returned('di')), 200).body.data
    const secret = await enroll(first.access_token)
    expectStatus(await world.stranger.post('/auth/refresh', { refresh_token: first.refresh_token }), 200)
    const back = await returned('di')
    const asked = await exchange(world, back)
    expect(asked.body).toMatchObject({
      error_code: 'AUTH-006',
      mfa: { methods: ['totp', 'recovery_code'], enrollment_required: false },
    })
    const wrong = await exchange(world, back, undefined, { mfa_code: '000000' })
    expect(wrong.body.error_code).toBe('AUTH-007')
    // Another browser's verifier spends the code, with whatever beside it.
    const other = await returned('di')
    expect((await exchange(world, other, 'w'.repeat(43), { mfa_code: codeOf(secret) })).body.error_code).toBe(
      'AUTH-002',
    )
    expect((await exchange(world, other, undefined, { mfa_code: codeOf(secret) })).body.error_code).toBe('AUTH-002')
    const done = expectStatus(await exchange(world, back, undefined, { mfa_code: codeOf(secret) }), 200).body.data
    expect(claimsOf(done.access_token)).toMatchObject({ amr: ['sso', 'otp', 'mfa'], acr: 'aal2' })
    expect((await exchange(world, back, undefined, { mfa_code: codeOf(secret) })).body.error_code).toBe('AUTH-002')
  })

  test('C06 guessing at the factor has to wait as guessing at a password has', async () => {
    const first = expectStatus(await exchange(world, await returned('ed')), 200).body.data
    await enroll(first.access_token)
    const back = await returned('ed')
    const codes: string[] = []
    for (let guess = 0; guess < 6; guess += 1)
      codes.push((await exchange(world, back, undefined, { mfa_code: `00000${guess}` })).body.error_code)
    expect(codes).toEqual([...Array(5).fill('AUTH-007'), 'AUTH-008'])
  })

  test('a session that never showed the factor the account has now is not renewed', async () => {
    const [old, other] = [await exchange(world, await returned('fay')), await exchange(world, await returned('fay'))]
    await enroll(expectStatus(other, 200).body.data.access_token)
    const { refresh_token } = expectStatus(old, 200).body.data
    expect((await world.stranger.post('/auth/refresh', { refresh_token })).body.error_code).toBe('AUTH-003')
  })

  test('nobody is asked where nothing is demanded of them', async () => {
    directory.speak('gil')
    const done = await exchange(world, await directory.callback(await directory.answered()))
    expect(claimsOf(expectStatus(done, 200).body.data.access_token)).toMatchObject({ amr: ['sso'], acr: 'aal1' })
  })
})
