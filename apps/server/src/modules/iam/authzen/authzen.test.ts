import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { allPermissions } from '../../../kernel/access/permissions.ts'
import { sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
let viewer: { id: string; client: TestClient }
let key: { id: string; client: TestClient }

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('alpha')
  const client = await tenant.as('viewer')
  viewer = { client, id: expectStatus(await client.get('/auth/me'), 200).body.data.user.id }
  const made = expectStatus(await client.post('/iam/api-keys', { name: 'k', scopes: ['trust:read'] }), 201).body.data
  key = { id: made.id, client: world.stranger.with(made.secret) }
})
afterAll(() => world.close())

const subject = (type: string, id: string) => ({ type, id })
const question = (of: object, permission: string) => {
  const [module = '', action = ''] = permission.split(':')
  return { subject: of, action: { name: action }, resource: { type: module, id: '*' } }
}
const ask = (body: unknown, client = tenant.admin) => client.post('/access/v1/evaluation', body)
const askAll = (body: unknown) => tenant.admin.post('/access/v1/evaluations', body)
const decisions = (answer: TestAnswer) => answer.body.evaluations.map((one: { decision: boolean }) => one.decision)

it('says where decisions are asked for', async () => {
  const { body } = expectStatus(await world.stranger.get('/.well-known/authzen-configuration'), 200)
  expect(body.access_evaluation_endpoint).toBe(`${body.policy_decision_point}/access/v1/evaluation`)
  expect((await world.stranger.get('/.well-known/jwks.json')).status).toBe(200)
})

it('decides what requests are judged by, for users and keys, and explains the same', async () => {
  for (const [type, id, client] of [
    ['user', viewer.id, viewer.client],
    ['api_key', key.id, key.client],
  ] as const) {
    const held: readonly string[] = expectStatus(await client.get('/auth/me'), 200).body.data.permissions
    const evaluations = allPermissions.map((permission) => question(subject(type, id), permission))
    const answer = expectStatus(await askAll({ evaluations }), 200)
    expect(decisions(answer)).toEqual(allPermissions.map((permission) => held.includes(permission)))
    const query = { subject_type: type, subject_id: id }
    const explained = expectStatus(await tenant.admin.get('/iam/permissions', { query }), 200).body.data
    expect(explained.map((entry: { granted: boolean }) => entry.granted)).toEqual(decisions(answer))
  }
})

it('tells through what, since when and by whom, and what would have to change', async () => {
  const entry = async (permission: string, query: object) =>
    expectStatus(await tenant.admin.get('/iam/permissions', { query: { permission, ...query } }), 200).body.data[0]
  const user = { subject_type: 'user', subject_id: viewer.id }
  expect(await entry('trust:read', user)).toMatchObject({
    granted: true,
    via: [
      {
        role: 'viewer',
        permission: 'trust:read',
        source: 'direct',
        granted_at: expect.any(String),
        granted_by: expect.any(String),
      },
    ],
    to_grant: [],
  })
  const denied = await entry('risk:write', user)
  expect(denied).toMatchObject({ granted: false, reason: 'no_role_grants_it', via: [] })
  expect(denied.to_grant.map((one: { role: string }) => one.role)).toContain('risk_manager')
  expect(denied.to_grant.map((one: { role: string }) => one.role)).not.toContain('super_admin')
  const byKey = await entry('risk:write', { subject_type: 'api_key', subject_id: key.id })
  expect(byKey.to_grant.map((one: { change: string }) => one.change)).toEqual(
    expect.arrayContaining(['assign_role', 'widen_key_scopes']),
  )
})

it('takes a whole permission as an action, defaults for all questions, and stops where it is told to', async () => {
  const whole = {
    subject: subject('user', viewer.id),
    action: { name: 'trust:read' },
    resource: { type: 'score', id: '1' },
  }
  expect((await ask(whole)).body).toEqual({ decision: true })
  expect((await askAll(whole)).body).toEqual({ decision: true })
  const evaluations = ['read', 'write', 'read'].map((name) => ({ action: { name } }))
  const shared = { subject: subject('user', viewer.id), resource: { type: 'trust', id: '1' }, evaluations }
  expect(decisions(await askAll(shared))).toEqual([true, false, true])
  const until = (evaluations_semantic: string) => askAll({ ...shared, options: { evaluations_semantic } })
  expect(decisions(await until('deny_on_first_deny'))).toEqual([true, false])
  expect(decisions(await until('permit_on_first_permit'))).toEqual([true])
})

it('denies what it does not know, and everything about another tenant', async () => {
  const other = await world.tenant('beta')
  const reason = async (body: unknown, client?: TestClient) => (await ask(body, client)).body
  const unknown = { decision: false, context: { reason: 'unknown_subject' } }
  expect(await reason(question(subject('user', viewer.id), 'trust:read'), other.admin)).toEqual(unknown)
  for (const of of [subject('robot', viewer.id), subject('user', 'nobody'), subject('user', other.id)])
    expect(await reason(question(of, 'trust:read'))).toEqual(unknown)
  expect(await reason(question(subject('user', viewer.id), 'trust:fly'))).toEqual({
    decision: false,
    context: { reason: 'unknown_permission' },
  })
  expect((await ask({ subject: subject('user', viewer.id) })).status).toBe(400)
  expect((await askAll({ evaluations: [{ action: { name: 'read' } }] })).body.errors[0].pointer).toBe(
    '/evaluations/0/subject',
  )
  expect((await ask(question(subject('user', viewer.id), 'trust:read'), viewer.client)).status).toBe(403)
})

it('gives a caller the request id it sent back, and nobody elsewhere', async () => {
  const headers = { 'x-request-id': 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716' }
  const body = question(subject('user', viewer.id), 'trust:read')
  const told = (answer: TestAnswer) => answer.headers['x-request-id']
  expect(told(await tenant.admin.post('/access/v1/evaluation', body, { headers }))).toBe(headers['x-request-id'])
  expect(told(await tenant.admin.post('/access/v1/evaluation', {}, { headers }))).toBe(headers['x-request-id'])
  expect(told(await tenant.admin.get('/iam/users', { headers }))).toMatch(/^req_/)
  const broken = { 'x-request-id': 'two words' }
  expect(told(await tenant.admin.post('/access/v1/evaluation', body, { headers: broken }))).toMatch(/^req_/)
})

it('leaves one audit entry for a call', async () => {
  const count = async () =>
    (
      await world.kernel.db.read(
        tenant.id,
        sql<{ n: number }>`
      select count(*)::int as n from audit_entry where action = 'iam.access.evaluate'`,
      )
    )[0]?.n ?? 0
  const before = await count()
  await askAll({
    evaluations: [question(subject('user', viewer.id), 'trust:read'), question(subject('user', viewer.id), 'iam:read')],
  })
  expect(await count()).toBe(before + 1)
})
