/** The refresh token of the console is in a cookie and nowhere else. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, password, type TestTenant, type World } from '../../../../test/support/world.ts'

let world: World
let tenant: TestTenant
let email = ''

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('console')
  email = (await tenant.admin.get('/auth/me')).body.data.user.email
})
afterAll(() => world.close())

const console = { 'x-parapet-console': '1' }
const signIn = async (): Promise<string> =>
  (await world.stranger.post('/auth/login', { email, password })).body.data.refresh_token
const renew = (body: object, headers: Readonly<Record<string, string>>) =>
  world.stranger.post('/auth/refresh', body, { headers })
const cookieIn = (headers: Readonly<Record<string, string>>): string => headers['set-cookie']?.split(';')[0] ?? ''

test('C43 the console gives its token once and gets a cookie that no script and no other site reaches', async () => {
  const first = await renew({ refresh_token: await signIn() }, console)
  expect([first.status, first.body.data.refresh_token]).toEqual([200, ''])
  const cookie = first.headers['set-cookie'] ?? ''
  expect(cookie).toMatch(/^__Host-parapet-session=[\w.-]+; Max-Age=\d+; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
  expect(first.text).not.toContain(cookieIn(first.headers).split('=')[1])
  const second = await renew({}, { ...console, cookie: cookieIn(first.headers) })
  expect([second.status, second.body.data.refresh_token]).toEqual([200, ''])
  expect((await world.stranger.with(second.body.data.access_token).get('/auth/me')).status).toBe(200)
})

test('C43 the cookie is worth nothing without the header, and other clients get no cookie', async () => {
  const { headers } = await renew({ refresh_token: await signIn() }, console)
  const forged = await renew({}, { cookie: cookieIn(headers) })
  expect([forged.status, forged.body.error_code]).toEqual([401, 'AUTH-002'])
  const plain = await renew({ refresh_token: await signIn() }, {})
  expect(plain.body.data.refresh_token).not.toBe('')
  expect(plain.headers['set-cookie']).toBeUndefined()
})

test('C43 signing out ends the session and its cookie, and a spent cookie is forgotten', async () => {
  const { headers, body } = await renew({ refresh_token: await signIn() }, console)
  const out = await world.stranger.with(body.data.access_token).post('/auth/logout', {}, { headers: console })
  expect(out.headers['set-cookie']).toMatch(/^__Host-parapet-session=; Max-Age=0;/)
  const late = await renew({}, { ...console, cookie: cookieIn(headers) })
  expect(late.status).toBe(401)
  expect(late.headers['set-cookie']).toMatch(/Max-Age=0/)
  expect((await renew({}, console)).body.error_code).toBe('AUTH-002')
})
