/** AEGIS's own door to the kill switches. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownCredentials } from '../../../test/support/own-credentials.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { activeAgent } from './testing/agents-world.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('kill-door')
})
afterAll(() => world?.close())

const reason = 'an exercise of the incident team'
const path = '/aegis/kill-switches'
const pull = (body: object) => tenant.admin.post(path, { reason, ...body })

test('a switch that both doors show stops the agent, and is ended through either', async () => {
  const agent = await activeAgent(world, tenant, { tags: ['batch'] })
  const made = expectStatus(await pull({ scope: 'agent', value: agent.id, level: 'block_new' }), 201).body.data
  expect(made).toMatchObject({
    ...{ scope: 'agent', source: 'aegis', status: 'active' },
    propagation: { nodes_total: 1, nodes_acked: 1, inflight_aborted: 0 },
  })
  const event = { event_id: 'e', type: 'tool.call', tool: 'x', time: new Date().toISOString() }
  expect((await agent.client.post('/aegis/activity', { events: [event] })).body.error_code).toBe('AEGIS-008')
  const other = expectStatus(await tenant.admin.get('/gateway/kill-switches'), 200).body.data
  expect(other.map(({ id }: { id: string }) => id)).toContain(made.id)
  const twin = await pull({ scope: 'agent', value: agent.id })
  expect([twin.status, twin.body.error_code]).toEqual([409, 'AEGIS-003'])
  expectStatus(await tenant.admin.post(`/gateway/kill-switches/${made.id}/deactivate`, { reason }), 200)
  expectStatus(await agent.client.post('/aegis/activity', { events: [event] }), 200)
  const again = await tenant.admin.post(`${path}/${made.id}/deactivate`, { reason })
  expect([again.status, again.body.error_code]).toEqual([409, 'AEGIS-002'])
  const listed = expectStatus(await tenant.admin.get(path, { query: { scope: 'agent' } }), 200).body.data
  expect(listed).toMatchObject([{ id: made.id, status: 'deactivated', deactivation_reason: reason }])
})

test.each([
  ['an agent that there is not', { scope: 'agent', value: '0190c5b0-0000-7000-8000-000000000001' }, '/value'],
  ['a provider that there is not', { scope: 'provider', value: 'nobody' }, '/value'],
  ['a tag that no agent has', { scope: 'agents_by_tag', value: 'nothing' }, '/value'],
  ['an exception that is nobody', { scope: 'tenant', except: ['nobody'] }, '/except/0'],
  ['a tenant with a value', { scope: 'tenant', value: 'x' }, '/value'],
  ['a time in the past', { scope: 'tenant', expires_at: '2026-01-01T00:00:00Z' }, '/expires_at'],
])('refused with its place: %s', async (_name, body, pointer) => {
  const answer = await pull(body)
  expect([answer.status, answer.body.error_code, answer.body.errors?.[0]?.pointer]).toEqual([400, 'API-001', pointer])
})

test('the end of a switch of the whole tenant takes two people', async () => {
  const second = await tenant.as('tenant_admin')
  await ownCredentials(world, tenant.id)
  const made = expectStatus(await pull({ scope: 'tenant', level: 'block_new' }), 201).body.data
  const end = `${path}/${made.id}/deactivate`
  const asked = await tenant.admin.post(end, { reason })
  expect([asked.status, asked.body.error_code]).toEqual([403, 'AEGIS-009'])
  const confirm = { reason, confirm_token: asked.body.confirm_token }
  expect((await tenant.admin.post(end, confirm)).body.error_code).toBe('AEGIS-009')
  expect(expectStatus(await second.post(end, confirm), 200).body.data).toMatchObject({ status: 'deactivated' })
})
