import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accept, openWorld, password, type TestTenant, type World } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
let userId: string

beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' } })
  tenant = await world.tenant('acme')
  const roles = (await tenant.admin.get('/iam/roles')).body.data
  const role = roles.find((candidate: { name: string }) => candidate.name === 'auditor').id
  const made = await tenant.admin.post('/iam/users', { email: 'ada@acme.example', role_ids: [role] })
  await accept(world.stranger, made.body.data.invitation_url)
  userId = made.body.data.id
})
afterAll(() => world.close())

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

async function signIn(): Promise<Tokens> {
  return (await world.stranger.post('/auth/login', { email: 'ada@acme.example', password })).body.data
}

const refresh = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  world.stranger.post('/auth/refresh', { refresh_token: token }, { headers })
const works = async (token: string): Promise<boolean> =>
  (await world.stranger.with(token).get('/auth/me')).status === 200
const inTenant = (statement: Sql) => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))
const sessionOf = (tokens: Tokens): string =>
  JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString()).sid

/** Lets the time since the last rotation pass. */
const age = (tokens: Tokens, ms: number) =>
  inTenant(
    sql`update iam_session set rotated_at = ${new Date(Date.now() - ms).toISOString()} where id = ${sessionOf(tokens)}`,
  )

describe('a refresh token', () => {
  test('gives two new tokens of the same session', async () => {
    const before = await signIn()
    const after = (await refresh(before.refresh_token)).body.data
    expect(after.refresh_token).not.toBe(before.refresh_token)
    expect(after.user).toMatchObject({ id: userId, role: 'auditor' })
    expect(sessionOf(after)).toBe(sessionOf(before))
    expect(await works(after.access_token)).toBe(true)
  })

  test('whose answer was lost gives the same successor again, byte for byte', async () => {
    const first = await signIn()
    const successor = (await refresh(first.refresh_token)).body.data.refresh_token
    expect((await refresh(first.refresh_token)).body.data.refresh_token).toBe(successor)
  })

  test.each([
    ['user agent', { 'user-agent': 'thief', 'x-forwarded-for': '203.0.113.9' }],
    ['address', { 'user-agent': 'console', 'x-forwarded-for': '198.51.100.9' }],
  ])('C02 spent a moment ago ends the session when it comes from another %s', async (_what, other) => {
    const own = { 'user-agent': 'console', 'x-forwarded-for': '203.0.113.9' }
    const first = await signIn()
    const second = (await refresh(first.refresh_token, own)).body.data
    expect((await refresh(first.refresh_token, own)).body.data.refresh_token).toBe(second.refresh_token)
    expect((await refresh(first.refresh_token, other)).body).toMatchObject({ status: 401, error_code: 'AUTH-010' })
    expect(await works(second.access_token)).toBe(false)
    expect((await refresh(second.refresh_token, own)).body.error_code).toBe('AUTH-002')
  })

  test('C02 spent a moment ago gives its successor to the same browser in another network', async () => {
    const answer = await world.stranger.post('/auth/login', { email: 'ada@acme.example', password })
    const cookie = answer.headers['set-cookie']?.split(';')[0] ?? ''
    const first: Tokens = answer.body.data
    const home = { cookie, 'x-forwarded-for': '203.0.113.9' }
    const second = (await refresh(first.refresh_token, home)).body.data
    const train = { cookie, 'x-forwarded-for': '198.51.100.9' }
    expect((await refresh(first.refresh_token, train)).body.data.refresh_token).toBe(second.refresh_token)
    const forged = { cookie: `${cookie}x`, 'x-forwarded-for': '198.51.100.10' }
    expect((await refresh(first.refresh_token, forged)).body.error_code).toBe('AUTH-010')
  })

  test('C02 used fifty times at once gives one successor and one session', async () => {
    const first = await signIn()
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(first.refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.data.refresh_token)).size).toBe(1)
    expect(new Set(answers.map(({ body }) => sessionOf(body.data)))).toEqual(new Set([sessionOf(first)]))
  })

  test('C02 used after its successor was used ends the session, every token of it and tells', async () => {
    const first = await signIn()
    const second = (await refresh(first.refresh_token)).body.data
    const third = (await refresh(second.refresh_token)).body.data
    expect((await refresh(first.refresh_token)).body).toMatchObject({ status: 401, error_code: 'AUTH-010' })
    expect((await refresh(third.refresh_token)).body.error_code).toBe('AUTH-002')
    expect(await works(third.access_token)).toBe(false)
    const told =
      await inTenant(sql`select channel from outbox where subject = ${`session/${sessionOf(first)}`} and channel like 'iam.session.refresh%'
      union all select channel from event_log where subject = ${`session/${sessionOf(first)}`} and channel like 'iam.session.refresh%'`)
    expect(told).toEqual([{ channel: 'iam.session.refresh_reuse_detected' }])
  })

  test('C02 spent more than ten seconds ago ends the session', async () => {
    const first = await signIn()
    await refresh(first.refresh_token)
    await age(first, 10_500)
    expect((await refresh(first.refresh_token)).body.error_code).toBe('AUTH-010')
  })

  test('of an idle session has expired', async () => {
    const tokens = await signIn()
    await inTenant(
      sql`update iam_session set idle_expires_at = ${new Date(Date.now() - 1).toISOString()} where id = ${sessionOf(tokens)}`,
    )
    expect((await refresh(tokens.refresh_token)).body.error_code).toBe('AUTH-003')
  })

  test('is no access token, and an access token is no refresh token', async () => {
    const tokens = await signIn()
    expect(await works(tokens.refresh_token)).toBe(false)
    expect((await refresh(tokens.access_token)).body.error_code).toBe('AUTH-002')
  })

  test('of a suspended user is refused', async () => {
    const tokens = await signIn()
    await inTenant(sql`update iam_user set status = 'suspended' where id = ${userId}`)
    expect((await refresh(tokens.refresh_token)).body.error_code).toBe('AUTH-002')
    await inTenant(sql`update iam_user set status = 'active' where id = ${userId}`)
  })
})

describe('signing out', () => {
  test('ends this session only, at once', async () => {
    const here = await signIn()
    const there = await signIn()
    expect((await world.stranger.with(here.access_token).post('/auth/logout', {})).body.data).toEqual({
      sessions_ended: 1,
      api_keys_ended: 0,
      end_session_url: null,
    })
    expect(await works(here.access_token)).toBe(false)
    expect((await refresh(here.refresh_token)).body.error_code).toBe('AUTH-002')
    expect(await works(there.access_token)).toBe(true)
  })

  test('everywhere ends all of them', async () => {
    const here = await signIn()
    const there = await signIn()
    await world.stranger.with(here.access_token).post('/auth/logout', { everywhere: true })
    expect([await works(here.access_token), await works(there.access_token)]).toEqual([false, false])
    expect(await works((await signIn()).access_token)).toBe(true)
  })
})
