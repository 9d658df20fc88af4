import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  accept,
  expectStatus,
  openWorld,
  password,
  type TestTenant,
  type World,
} from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { roleId } from '../sso/testing/sso-world.ts'

let world: World
let tenant: TestTenant
let server: Server
let origin: string

interface Posted {
  readonly token: string
  readonly authorization: string | undefined
  readonly type: string | undefined
}
let posted: Posted[] = []
/** Queue of the receiver's next answers; 202 when it is empty. */
let answers: { status: number; body?: string }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { authorization, 'content-type': type } = request.headers
      posted.push({ token: Buffer.concat(chunks).toString(), authorization, type })
      const { status, body = '' } = answers.shift() ?? { status: 202 }
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  world = await openWorld({ own: true })
  tenant = await world.tenant('acme')
})
afterAll(async () => {
  await world.close()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  posted = []
  answers = []
})

const set = async (values: object) =>
  expectStatus(await tenant.admin.patch('/admin/config', { values, comment: 'signals' }), 200)
const receiver = (more: object = {}) => ({ url: `${origin}/events`, audience: 'siem', ...more })

async function claimsOf({ token }: Posted) {
  const keys = createLocalJWKSet((await world.program.app.inject('/.well-known/jwks.json')).json())
  const issuer = 'http://127.0.0.1:8080'
  const { payload } = await jwtVerify(token, keys, { issuer, audience: 'siem', typ: 'secevent+jwt' })
  return payload
}

const eventsOf = async () =>
  Promise.all(
    posted.map(async (one) => {
      const { events, sub_id } = await claimsOf(one)
      const [[type = '', claims] = []] = Object.entries(Object(events))
      return { type: type.slice(type.lastIndexOf('/') + 1), claims, sub_id }
    }),
  )
const told = async (type: string) => (await eventsOf()).filter((one) => one.type === type)

let made = 0
async function person() {
  made += 1
  const email = `p${made}@acme.example`
  const body = { email, role_ids: [await roleId(tenant.admin, 'viewer')] }
  const { id, invitation_url } = expectStatus(await tenant.admin.post('/iam/users', body), 201).body.data
  await accept(world.stranger, invitation_url)
  return { id, email, client: await world.signIn(email, tenant.id) }
}

test('a tenant’s receiver gets sessions, credentials and accounts as tokens that our public keys verify', async () => {
  await set({
    'shared_signals.receiver': receiver(),
    'shared_signals.authorization': { origin, value: 'Bearer of the receiver' },
  })
  const { id, client } = await person()
  const body = { current_password: password, new_password: 'another long phrase of mine 9' }
  expectStatus(await client.post('/auth/password', body), 200)
  const suspension = { status: 'suspended', status_reason: 'words about a person' }
  expectStatus(await tenant.admin.patch(`/iam/users/${id}`, suspension), 200)
  // Of the first administrator, whose own events are a moment old, something may come as well.
  const mine = async (type: string) => (await told(type)).filter(({ sub_id }) => JSON.stringify(sub_id).includes(id))
  for (const [type, count] of [
    ['account-disabled', 1],
    ['session-revoked', 1],
    ['credential-change', 2],
  ] as const)
    await expect.poll(async () => (await mine(type)).length, { timeout: 30_000 }).toBe(count)
  const user = { format: 'iss_sub', iss: 'http://127.0.0.1:8080', sub: id }
  expect((await mine('account-enabled')).map(({ sub_id }) => sub_id)).toEqual([user])
  expect(await mine('session-established')).toMatchObject([{ sub_id: { format: 'complex', user } }])
  expect(await mine('session-revoked')).toMatchObject([
    {
      claims: { initiating_entity: 'admin', reason_admin: { en: 'account_suspended' } },
      sub_id: { user, session: { format: 'opaque' }, tenant: { id: tenant.id } },
    },
  ])
  const changes = (await mine('credential-change')).map(({ claims }) => claims)
  for (const change_type of ['create', 'update'])
    expect(changes).toContainEqual(
      expect.objectContaining({ credential_type: 'password', change_type, initiating_entity: 'user' }),
    )
  expect(new Set(posted.map(({ authorization, type }) => `${authorization} ${type}`))).toEqual(
    new Set(['Bearer of the receiver application/secevent+jwt']),
  )
  const said = sql`select 1 as found from job where payload::text like '%words about%'`
  expect(await world.kernel.db.system('test', (tx) => tx.query(said))).toEqual([])
  // A security event token gives no access.
  const [first] = posted
  expect((await world.stranger.with(first?.token ?? '').get('/auth/me')).status).toBe(401)
})

test('a receiver that is busy gets the same token again, one that finds it bad is not asked again', async () => {
  await set({ 'shared_signals.receiver': receiver() })
  answers = [{ status: 503 }]
  const body = { name: 'Robot', scopes: ['trust:read'] }
  const key = expectStatus(await tenant.admin.post('/iam/api-keys', body), 201).body.data
  await expect.poll(() => posted.length, { timeout: 30_000 }).toBe(2)
  const [first, second] = await Promise.all(posted.map(claimsOf))
  expect([second?.jti, second?.events]).toEqual([first?.jti, first?.events])
  answers = [{ status: 400, body: '{"err":"invalid_audience","description":"not for us"}' }]
  expectStatus(await tenant.admin.delete(`/iam/api-keys/${key.id}`), 200)
  const query = { action: 'iam.signal.refused' }
  const refusals = async () => (await tenant.admin.get('/admin/audit-logs', { query })).body.data
  await expect.poll(async () => (await refusals()).length, { timeout: 30_000 }).toBe(1)
  expect((await refusals())[0].after).toEqual({ error: 'invalid_audience' })
  expect(posted).toHaveLength(3)
})

test('C51 a header goes to no other origin than its own, and no secret is shown', async () => {
  await set({
    'shared_signals.receiver': receiver({ subject: 'email' }),
    'shared_signals.authorization': { origin: 'https://siem.example', value: 'Bearer canary-of-signals' },
  })
  const { email } = await person()
  await expect.poll(async () => (await told('session-established')).length, { timeout: 30_000 }).toBe(1)
  expect(posted.every(({ authorization }) => authorization === undefined)).toBe(true)
  expect((await told('account-enabled'))[0]?.sub_id).toEqual({ format: 'email', email })
  expect((await tenant.admin.get('/admin/config')).text).not.toContain('canary-of-signals')
})

test('who names no receiver keeps everything, and another tenant’s is none of theirs', async () => {
  const other = await world.tenant('quiet')
  expectStatus(await other.admin.post('/iam/api-keys', { name: 'Robot', scopes: ['trust:read'] }), 201)
  await set({ 'shared_signals.receiver': null })
  expectStatus(await tenant.admin.post('/iam/api-keys', { name: 'Robot', scopes: ['trust:read'] }), 201)
  const handled = () =>
    world.kernel.db.system('test', (tx) =>
      tx.query(sql<{ n: number }>`
        select count(*)::int as n from event_log l
        join handled_through h on h.tenant_id = l.tenant_id and h.handler = 'iam.signals' and h.position >= l.position
        where l.channel = 'iam.api_key.created' and l.tenant_id = ${other.id}`),
    )
  await expect.poll(async () => (await handled())[0]?.n, { timeout: 30_000 }).toBe(1)
  const jobs = await world.kernel.db.system('test', (tx) =>
    tx.query(sql`select 1 as one from job where kind = 'iam.signal.push' and tenant_id = ${other.id}`),
  )
  expect([jobs, posted]).toEqual([[], []])
})

test('what cannot be a receiver is refused', async () => {
  for (const bad of [{ url: 'ftp://siem.example' }, { url: 'https://user:pw@siem.example' }, { audience: 'siem' }]) {
    const values = { 'shared_signals.receiver': bad }
    const answer = await tenant.admin.patch('/admin/config', { values, comment: 'bad' })
    expect(answer.status, JSON.stringify(bad)).toBe(422)
  }
})
