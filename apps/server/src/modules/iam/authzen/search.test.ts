import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestAnswer } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { allPermissions } from '../../../kernel/access/permissions.ts'

let world: World
let tenant: TestTenant
const users: string[] = []
const keys: string[] = []

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('alpha')
  for (const role of ['viewer', 'ai_engineer', 'auditor', 'security_analyst'] as const) {
    const client = await tenant.as(role)
    const made = expectStatus(await client.post('/iam/api-keys', { name: role, scopes: ['trust:read'] }), 201).body.data
    keys.push(made.id)
  }
  const suspended = await tenant.as('risk_manager')
  const { id } = expectStatus(await suspended.get('/auth/me'), 200).body.data.user
  expectStatus(await tenant.admin.patch(`/iam/users/${id}`, { status: 'suspended', status_reason: 'left' }), 200)
  const listed = expectStatus(await tenant.admin.get('/iam/users', { query: { limit: '200' } }), 200).body.data
  users.push(...listed.map((user: { id: string }) => user.id))
  const revoked = expectStatus(await tenant.admin.post('/iam/api-keys', { name: 'gone', scopes: ['trust:read'] }), 201)
  expectStatus(await tenant.admin.delete(`/iam/api-keys/${revoked.body.data.id}`), 200)
  keys.push(revoked.body.data.id)
})
afterAll(() => world.close())

const resourceOf = (permission: string) => ({ type: permission.split(':')[0] ?? '', id: '*' })
const actionOf = (permission: string) => ({ name: permission.split(':')[1] ?? '' })
const find = (what: 'subject' | 'action', body: object, client = tenant.admin): Promise<TestAnswer> =>
  client.post(`/access/v1/search/${what}`, body)
const subjects = (type: string, permission: string, page?: object) =>
  find('subject', {
    subject: { type },
    action: actionOf(permission),
    resource: resourceOf(permission),
    ...(page === undefined ? {} : { page }),
  })
const idsOf = (answer: TestAnswer): readonly string[] =>
  expectStatus(answer, 200).body.results.map(({ id }: { id: string }) => id)

async function decided(type: string, ids: readonly string[], permission: string): Promise<readonly string[]> {
  const evaluations = ids.map((id) => ({ subject: { type, id } }))
  const shared = { action: actionOf(permission), resource: resourceOf(permission) }
  const { body } = expectStatus(await tenant.admin.post('/access/v1/evaluations', { ...shared, evaluations }), 200)
  return ids.filter((_, index) => body.evaluations[index].decision).toSorted()
}

it('finds exactly those that are decided to be allowed, users and keys', async () => {
  for (const [type, ids] of [
    ['user', users],
    ['api_key', keys],
  ] as const)
    for (const permission of allPermissions)
      expect([type, permission, idsOf(await subjects(type, permission))]).toEqual([
        type,
        permission,
        await decided(type, ids, permission),
      ])
})

it('finds exactly what somebody is decided to be allowed, by module and by whole permission', async () => {
  for (const [type, id] of [...users.map((own) => ['user', own]), ...keys.map((own) => ['api_key', own])]) {
    const query = { subject_type: type ?? '', subject_id: id ?? '' }
    const explained = expectStatus(await tenant.admin.get('/iam/permissions', { query }), 200).body.data
    const granted: readonly string[] = explained
      .filter((entry: { granted: boolean }) => entry.granted)
      .map((entry: { permission: string }) => entry.permission)
    const names = async (resource: object): Promise<readonly string[]> =>
      expectStatus(await find('action', { subject: { type, id }, resource }), 200).body.results.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names({ type: 'document', id: '7' })).toEqual(granted)
    const ofTrust = granted.filter((name) => name.startsWith('trust:')).map((name) => name.slice('trust:'.length))
    expect(await names({ type: 'trust', id: '*' })).toEqual(ofTrust)
  }
})

it('walks through pages by tokens that hold for their own search alone', async () => {
  const whole = idsOf(await subjects('user', 'trust:read'))
  const walked: string[] = []
  let token = ''
  do {
    const answer = await subjects('user', 'trust:read', { limit: 2, ...(token === '' ? {} : { token }) })
    const { count, next_token } = expectStatus(answer, 200).body.page
    expect(count).toBe(idsOf(answer).length)
    walked.push(...idsOf(answer))
    if (next_token !== '') {
      const elsewhere = await subjects('user', 'gateway:read', { token: next_token })
      expect([elsewhere.status, elsewhere.body.error_code]).toEqual([400, 'API-003'])
    }
    token = next_token
  } while (token !== '')
  expect(walked).toEqual(whole)
  expect((await subjects('user', 'trust:read', { token: 'made up' })).body.error_code).toBe('API-003')
  expect((await subjects('user', 'trust:read', { limit: 0 })).status).toBe(400)
})

it('finds nothing it does not know, and nobody of another tenant', async () => {
  const other = await world.tenant('beta')
  const asked = { subject: { type: 'user' }, action: { name: 'read' }, resource: { type: 'trust', id: '*' } }
  const theirs = idsOf(await find('subject', asked, other.admin))
  expect(theirs.filter((id) => users.includes(id))).toEqual([])
  expect(theirs).toHaveLength(1)
  expect(idsOf(await subjects('robot', 'trust:read'))).toEqual([])
  expect(idsOf(await subjects('user', 'trust:fly'))).toEqual([])
  const stranger = { subject: { type: 'user', id: users[0] }, resource: { type: 'trust', id: '*' } }
  expect(expectStatus(await find('action', stranger, other.admin), 200).body.results).toEqual([])
  expect((await find('subject', asked, await tenant.as('viewer'))).status).toBe(403)
})

it('says where it is asked, and does not offer what it cannot answer', async () => {
  const { body } = expectStatus(await world.stranger.get('/.well-known/authzen-configuration'), 200)
  expect(body.search_subject_endpoint).toBe(`${body.policy_decision_point}/access/v1/search/subject`)
  expect(body.search_action_endpoint).toBe(`${body.policy_decision_point}/access/v1/search/action`)
  expect(body).not.toHaveProperty('search_resource_endpoint')
})
