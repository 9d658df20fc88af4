import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, password } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'

let world: OwnWorld
let sink: MailSink
let admin: TestClient

beforeAll(async () => {
  sink = await openMailSink()
  world = await openWorld({ environment: { PARAPET_SMTP_URL: sink.url } })
  admin = world.root.admin
})
afterAll(async () => {
  await world.close()
  await sink.close()
})

const login = (email: string) => world.stranger.post('/auth/login', { email, password })
const tokenIn = async (email: string, path: string): Promise<string> => {
  const link = () =>
    /#(\S+)/.exec(sink.letters.findLast(({ to, text }) => to.includes(email) && text.includes(path))?.text ?? '')
  await expect.poll(() => link()?.[1]).toBeDefined()
  return link()?.[1] ?? ''
}

async function person(email: string): Promise<{ id: string; client: TestClient }> {
  const role = (await admin.get('/iam/roles?q=viewer')).body.data[0].id
  const { id } = expectStatus(await admin.post('/iam/users', { email, role_ids: [role] }), 201).body.data
  const token = await tokenIn(email, '/invite#')
  expectStatus(await world.stranger.post('/auth/invitations/accept', { token, password }), 200)
  return { id, client: world.stranger.with(expectStatus(await login(email), 200).body.data.access_token) }
}

test('people change their own name, language and time zone, and nothing else', async () => {
  const { client } = await person('ada@acme.example')
  const changed = await client.patch('/auth/me', { display_name: 'Ada', locale: 'en-GB', time_zone: 'Europe/London' })
  expect(changed.body.data.user).toMatchObject({ display_name: 'Ada', locale: 'en-GB', time_zone: 'Europe/London' })
  expect((await client.patch('/auth/me', { locale: null })).body.data.user).toMatchObject({
    locale: null,
    display_name: 'Ada',
  })
  expect((await client.patch('/auth/me', { role_ids: [] })).body.error_code).toBe('API-001')
  const key = (await admin.post('/iam/api-keys', { name: 'Robot', scopes: ['iam:read'] })).body.data.secret
  expect((await world.stranger.with(key).patch('/auth/me', { display_name: 'x' })).body.error_code).toBe('AUTH-009')
})

test('a new address counts from the moment its mailbox is proved, and the old one is told', async () => {
  const { id, client } = await person('grace@acme.example')
  expect((await client.patch('/auth/me', { email: 'hopper@acme.example' })).body.data.user.email).toBe(
    'grace@acme.example',
  )
  const first = await tokenIn('hopper@acme.example', '/confirm-email#')
  await expect
    .poll(() => sink.textsTo('grace@acme.example'))
    .toContainEqual(expect.stringContaining('asked to change its e-mail address'))
  expect((await login('hopper@acme.example')).status).toBe(401)
  await world.stranger.post('/auth/password/forgot', { email: 'grace@acme.example' })
  const reset = await tokenIn('grace@acme.example', '/reset#')
  const confirm = () => world.stranger.post('/auth/email/confirm', { token: first })
  const answers = await Promise.all([confirm(), confirm(), confirm()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  expect((await login('hopper@acme.example')).status).toBe(200)
  expect((await login('grace@acme.example')).status).toBe(401)
  expect((await client.get('/auth/me')).body.data.user).toMatchObject({ id, email: 'hopper@acme.example' })
  const late = await world.stranger.post('/auth/password/reset', {
    token: reset,
    new_password: 'some other long password 7',
  })
  expect(late.body.error_code).toBe('AUTH-002')
  await expect
    .poll(() => sink.textsTo('grace@acme.example'))
    .toContainEqual(expect.stringContaining('can no longer be used'))
})

test('C05 an address that somebody has is found out by its mailbox only, and a stale session asks for none', async () => {
  const { id, client } = await person('eve@acme.example')
  expect((await client.patch('/auth/me', { email: 'operator@root.example' })).status).toBe(200)
  const token = await tokenIn('operator@root.example', '/confirm-email#')
  expect((await world.stranger.post('/auth/email/confirm', { token })).body.error_code).toBe('IAM-001')
  const { refresh_token } = (await login('eve@acme.example')).body.data
  await world.kernel.db.tenant({ tenantId: world.root.id }, (tx) =>
    tx.execute(sql`update iam_session set auth_time = now() - interval '1 hour' where user_id = ${id}`),
  )
  const stale = (await world.stranger.post('/auth/refresh', { refresh_token })).body.data.access_token
  const refused = await world.stranger.with(stale).patch('/auth/me', { email: 'new@acme.example' })
  expect(refused.body.error_code).toBe('AUTH-009')
})
