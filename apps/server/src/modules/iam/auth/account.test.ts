import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accept, type OwnWorld, openWorld, password, type TestTenant } from '../../../../test/support/world.ts'

let world: OwnWorld
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' } })
  tenant = await world.tenant('acme')
})
afterAll(() => world.close())

const next = 'a wholly different passphrase'
let count = 0

async function person(): Promise<string> {
  const email = `person${++count}@acme.example`
  const role = (await tenant.admin.get('/iam/roles?q=viewer')).body.data[0].id
  await accept(
    world.stranger,
    (await tenant.admin.post('/iam/users', { email, role_ids: [role] })).body.data.invitation_url,
  )
  return email
}

const own = { headers: { 'x-forwarded-for': '203.0.113.77' } }
const status = async (email: string, secret: string): Promise<number> =>
  (await world.stranger.post('/auth/login', { email, password: secret }, own)).status

describe('changing the password', () => {
  test('needs the current one and ends all other sessions', async () => {
    const email = await person()
    const [here, there] = [await world.signIn(email), await world.signIn(email)]
    const changed = await here.post('/auth/password', { current_password: password, new_password: next })
    expect(changed.body.data.sessions_ended).toBe(2 - 1)
    expect([(await here.get('/auth/me')).status, (await there.get('/auth/me')).status]).toEqual([200, 401])
    expect([await status(email, password), await status(email, next)]).toEqual([401, 200])
  })

  test('keeps the others when asked to', async () => {
    const email = await person()
    const [here, there] = [await world.signIn(email), await world.signIn(email)]
    await here.post('/auth/password', { current_password: password, new_password: next, revoke_other_sessions: false })
    expect((await there.get('/auth/me')).status).toBe(200)
  })

  test('is refused for the same password and for a weak one', async () => {
    const client = await world.signIn(await person())
    const change = (new_password: string) => client.post('/auth/password', { current_password: password, new_password })
    expect((await change(password)).body.reasons).toEqual(['current'])
    expect((await change('acme-acme-acme-1')).body.reasons).toEqual(['context'])
  })

  test('does not let a stolen session guess: after five wrong ones the account waits', async () => {
    const email = await person()
    const client = await world.signIn(email)
    const options = { headers: { 'x-forwarded-for': '203.0.113.88' } }
    const guess = (current_password: string) =>
      client.post('/auth/password', { current_password, new_password: next }, options)
    for (let tries = 0; tries < 5; tries += 1) expect((await guess('wrong')).body.error_code).toBe('AUTH-007')
    expect((await guess(password)).body.error_code).toBe('AUTH-008')
    expect(await status(email, password)).toBe(429)
  })

  test('is nothing an API key may do', async () => {
    const { secret } = (await tenant.admin.post('/iam/api-keys', { name: 'k', scopes: ['iam:admin'] })).body.data
    const refused = await world.stranger
      .with(secret)
      .post('/auth/password', { current_password: password, new_password: next })
    expect(refused.body.error_code).toBe('AUTH-009')
  })
})

test('one sees where else one may act: an operator in every tenant, others nowhere', async () => {
  const names = async (client: typeof tenant.admin, headers = {}) =>
    (await client.get('/auth/me', { headers })).body.data.tenants.map(({ slug }: { slug: string }) => slug)
  expect(await names(world.operator)).toEqual(['acme'])
  expect(await names(world.operator, { 'x-tenant-id': tenant.id })).toEqual(['root'])
  expect(await names(tenant.admin)).toEqual([])
})
