import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, password } from '../../../../test/support/world.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'
import { roleId } from '../sso/testing/sso-world.ts'

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

const invite = async (email: string, role = 'viewer'): Promise<string> => {
  const body = { email, role_ids: [await roleId(admin, role)] }
  return expectStatus(await admin.post('/iam/users', body), 201).body.data.id
}
const linkTo = async (email: string): Promise<string> => {
  const link = () => /invite#(\S+)/.exec(sink.newestTo(email)?.text ?? '')?.[1]
  await expect.poll(link).toBeDefined()
  return link() ?? ''
}
const accept = (token: string) => world.stranger.post('/auth/invitations/accept', { token, password })
const correct = (id: string, email: string, client = admin) => client.patch(`/iam/users/${id}`, { email })

test('an invitation to a mistyped address goes to the right one, and the first link is dead', async () => {
  const id = await invite('adaa@acme.example')
  const wrong = await linkTo('adaa@acme.example')
  expect(expectStatus(await correct(id, 'ada@acme.example'), 200).body.data.email).toBe('ada@acme.example')
  const right = await linkTo('ada@acme.example')
  expect((await accept(wrong)).body.error_code).toBe('AUTH-002')
  expectStatus(await accept(right), 200)
  await world.signIn('ada@acme.example')
})

test('somebody who is here signs in with the corrected address, and the old one is told', async () => {
  const id = await invite('grace@acme.example')
  expectStatus(await accept(await linkTo('grace@acme.example')), 200)
  expectStatus(await correct(id, 'hopper@acme.example'), 200)
  await world.signIn('hopper@acme.example')
  expect((await world.stranger.post('/auth/login', { email: 'grace@acme.example', password })).status).toBe(401)
  await expect
    .poll(() => sink.textsTo('grace@acme.example'))
    .toContainEqual(expect.stringContaining('can no longer be used'))
  const { data } = (await admin.get('/admin/audit-logs', { query: { target: `user:${id}`, limit: '1' } })).body
  expect(JSON.stringify(data[0])).toContain('hopper@acme.example')
})

test('who may not reset credentials gives no address to somebody who is here, only to the invited', async () => {
  expectStatus(await admin.post('/iam/roles', { name: 'Registrar', permissions: ['iam:write', 'trust:read'] }), 201)
  await invite('registrar@acme.example', 'Registrar')
  expectStatus(await accept(await linkTo('registrar@acme.example')), 200)
  const registrar = await world.signIn('registrar@acme.example')
  expectStatus(await admin.post('/iam/roles', { name: 'Watcher', permissions: ['trust:read'] }), 201)
  const id = await invite('joan@acme.example', 'Watcher')
  expectStatus(await correct(id, 'joan.clarke@acme.example', registrar), 200)
  expectStatus(await accept(await linkTo('joan.clarke@acme.example')), 200)
  expect((await correct(id, 'taken@acme.example', registrar)).body.error_code).toBe('AUTH-004')
  expectStatus(await correct(id, 'joan@acme.example'), 200)
})

test('no address is taken from somebody, from oneself, from above or with a key', async () => {
  const id = await invite('eve@acme.example')
  expect((await correct(id, 'OPERATOR@root.example')).body.error_code).toBe('IAM-001')
  const own = (await admin.get('/auth/me')).body.data.user.id
  expect((await correct(own, 'other@root.example')).body).toMatchObject({
    error_code: 'API-001',
    errors: [{ pointer: '/email' }],
  })
  await invite('writer@acme.example', 'security_admin')
  expectStatus(await accept(await linkTo('writer@acme.example')), 200)
  const writer = await world.signIn('writer@acme.example')
  expect((await correct(own, 'mine@acme.example', writer)).body.error_code).toBe('IAM-003')
  const scopes = (await admin.get('/auth/me')).body.data.permissions
  const key = expectStatus(await admin.post('/iam/api-keys', { name: 'Robot', scopes }), 201).body.data
  expect((await correct(id, 'by-key@acme.example', world.stranger.with(key.secret))).body.error_code).toBe('AUTH-009')
  const robot = { type: 'service', role_ids: [await roleId(admin, 'viewer')] }
  const service = expectStatus(await admin.post('/iam/users', robot), 201).body.data.id
  expect((await correct(service, 'robot@acme.example')).body.error_code).toBe('API-001')
  expect((await admin.get(`/iam/users/${id}`)).body.data.email).toBe('eve@acme.example')
})
