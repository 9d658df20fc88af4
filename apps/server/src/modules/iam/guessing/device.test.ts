import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, password } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { accountDigest } from './guard.ts'

const email = 'operator@root.example'
let world: OwnWorld
beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' } })
})
afterAll(() => world.close())

let addresses = 0
const login = (secret: string, how: { cookie?: string; ip?: string; email?: string } = {}) =>
  world.stranger.post(
    '/auth/login',
    { email: how.email ?? email, password: secret },
    {
      headers: {
        'x-forwarded-for': how.ip ?? `203.0.113.${++addresses}`,
        ...(how.cookie === undefined ? {} : { cookie: how.cookie }),
      },
    },
  )

async function knownCookie(): Promise<string> {
  const { headers } = expectStatus(await login(password), 200)
  const [cookie = ''] = String(headers['set-cookie']).split(';')
  return cookie
}

const forgetGuards = () =>
  world.kernel.db.tenant({ tenantId: world.root.id }, (tx) => tx.execute(sql`delete from iam_login_guard`))

test('a browser that signs in gets a cookie that only this host sees and no script reads', async () => {
  const { headers } = expectStatus(await login(password), 200)
  expect(headers['set-cookie']).toMatch(
    /^__Host-parapet-device=[\w-]{22}\.\d+\.[\w-]{43}; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Strict$/,
  )
  expect((await login('wrong')).headers['set-cookie']).toBeUndefined()
})

test('its sessions are told from those of another browser, and by nothing that would make a cookie', async () => {
  const first = expectStatus(await login(password), 200)
  const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
  const answers = [
    first,
    expectStatus(await login(password, { cookie }), 200),
    expectStatus(await login(password), 200),
  ]
  const ids: string[] = []
  for (const { body } of answers) {
    const listed = expectStatus(await world.stranger.with(body.data.access_token).get('/iam/sessions'), 200).body.data
    ids.push(listed.find(({ current }: { current: boolean }) => current).device_id)
  }
  const [one, again, other] = ids
  expect(one).toBe(again)
  expect(other).not.toBe(one)
  expect(cookie).not.toContain(one)
  expect(cookie.split('=')[1]?.split('.')[2]).not.toBe(one)
})

test('C06 a stranger’s guesses stop strangers and not the known browser, also from its own address', async () => {
  const cookie = await knownCookie()
  const ip = '198.51.100.7'
  for (let tries = 0; tries < 5; tries += 1) await login('wrong', { ip })
  for (let tries = 0; tries < 16; tries += 1) await login('wrong', { ip, email: `nobody${tries}@root.example` })
  expect((await login(password)).body.error_code).toBe('AUTH-008')
  expect((await login(password, { ip, email: 'other@root.example' })).body.error_code).toBe('AUTH-008')
  expect((await login(password, { cookie, ip })).status).toBe(200)
})

test('C06 a known browser guesses no faster than a stranger, and its guesses stop no other one', async () => {
  await forgetGuards()
  const [one, two] = [await knownCookie(), await knownCookie()]
  for (let tries = 0; tries < 5; tries += 1) expect((await login('wrong', { cookie: one })).status).toBe(401)
  expect((await login(password, { cookie: one })).body.error_code).toBe('AUTH-008')
  expect((await login(password, { cookie: two })).status).toBe(200)
  expect((await login(password)).status).toBe(200)
})

test('C06 a cookie that is forged, changed or of another address is worth nothing', async () => {
  await forgetGuards()
  const cookie = await knownCookie()
  for (let tries = 0; tries < 5; tries += 1) await login('wrong')
  const [name = '', value = ''] = cookie.split('=')
  const [nonce, ends, seal = ''] = value.split('.')
  const forged = [
    `${name}=${nonce}.${Number(ends) + 1}.${seal}`,
    `${name}=${nonce}.${ends}.${'A'.repeat(43)}`,
    `${name}=${'A'.repeat(22)}.${ends}.${seal}`,
    'unrelated=1',
    '',
  ]
  for (const one of forged) expect([one, (await login(password, { cookie: one })).status]).toEqual([one, 429])
  expect((await login(password, { cookie: `a=b; ${cookie}; c=d` })).status).toBe(200)
  for (let tries = 0; tries < 5; tries += 1) await login('wrong', { email: 'ghost@root.example' })
  expect((await login(password, { cookie, email: 'ghost@root.example' })).body.error_code).toBe('AUTH-008')
})

test('C06 an account that strangers have locked is let in again by its owner’s browser', async () => {
  await forgetGuards()
  const made = await world.operator.post('/iam/users', {
    email: 'ada@root.example',
    role_ids: [(await world.operator.get('/iam/roles?q=viewer')).body.data[0].id],
  })
  const token = made.body.data.invitation_url.split('#')[1]
  expectStatus(await world.stranger.post('/auth/invitations/accept', { token, password }), 200)
  const { headers } = expectStatus(await login(password, { email: 'ada@root.example' }), 200)
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  const digest = accountDigest(world.kernel, world.root.id, 'ada@root.example')
  await world.kernel.db.tenant({ tenantId: world.root.id }, (tx) =>
    tx.execute(sql`
      insert into iam_login_guard (digest, consecutive, updated_at) values (${digest}, 99, now())
      on conflict (digest) do update set consecutive = 99`),
  )
  await login('wrong', { email: 'ada@root.example' })
  const status = async () => (await world.operator.get(`/iam/users/${made.body.data.id}`)).body.data.status
  expect(await status()).toBe('locked')
  expect((await login(password, { email: 'ada@root.example' })).body.error_code).toBe('AUTH-007')
  expect((await login(password, { email: 'ada@root.example', cookie })).status).toBe(200)
  expect(await status()).toBe('active')
})
