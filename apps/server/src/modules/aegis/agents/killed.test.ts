/** Hard kill switches and the agents that they are about. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { activeAgent, addAgent, approvers, move } from '../testing/agents-world.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('killed-agents')
})
afterAll(() => world?.close())

const patience = { timeout: 60_000, interval: 100 }
const reason = 'an exercise of the incident team'
const pull = async (body: object) =>
  expectStatus(await tenant.admin.post('/aegis/kill-switches', { reason, ...body }), 201).body.data
const agentOf = async (id: string) =>
  expectStatus(await tenant.admin.get(`/aegis/agents/${id}`, { query: { include: 'credentials' } }), 200).body.data

/** A binding whose issuer is never asked, because no token of it comes. */
async function bind(agentId: string, value: string) {
  const match = { issuer: 'http://127.0.0.1:9', claim: 'sub', value, audience: 'parapet' }
  return tenant.admin.post(`/aegis/agents/${agentId}/credentials`, { kind: 'jwt', match })
}

test.each(['agent', 'agents_by_tag'])(
  'a hard switch of the scope %s quarantines its agents and ends their credentials for good',
  async (scope) => {
    const tag = `tag-${scope}`
    const [one, untouched] = [await activeAgent(world, tenant, { tags: [tag] }), await activeAgent(world, tenant)]
    expectStatus(await bind(one.id, scope), 201)
    const made = await pull({ scope, value: scope === 'agent' ? one.id : tag })
    await expect.poll(async () => (await agentOf(one.id)).status, patience).toBe('quarantined')
    const after = await agentOf(one.id)
    expect(after.status_reason).toBe(`kill switch: ${reason}`)
    expect(after.credentials.map(({ kind, status }: Record<string, string>) => [kind, status])).toEqual([
      ['api_key', 'revoked'],
    ])
    expect((await agentOf(untouched.id)).status).toBe('active')
    expectStatus(await tenant.admin.post(`/aegis/kill-switches/${made.id}/deactivate`, { reason }), 200)
    const [approver] = await approvers(world, tenant)
    await move(approver, one.id, 'release')
    expect((await one.client.post('/aegis/activity', { events: [] })).status).toBe(401)
    // The binding is free again.
    expectStatus(await bind(one.id, scope), 201)
  },
)

test('a switch that lets running work end leaves credentials alone', async () => {
  const one = await activeAgent(world, tenant, { tags: ['gentle'] })
  const made = await pull({ scope: 'agent', value: one.id, level: 'block_new' })
  // A later switch is handled after the earlier one.
  const marker = await activeAgent(world, tenant)
  await pull({ scope: 'agent', value: marker.id })
  await expect.poll(async () => (await agentOf(marker.id)).status, patience).toBe('quarantined')
  expect(await agentOf(one.id)).toMatchObject({ status: 'active', credentials: [{ status: 'active' }] })
  expectStatus(await tenant.admin.post(`/aegis/kill-switches/${made.id}/deactivate`, { reason }), 200)
})

test('a retired agent leaves its keys and its outside tokens behind', async () => {
  const one = await activeAgent(world, tenant)
  expectStatus(await bind(one.id, 'retiring'), 201)
  await move(tenant.admin, one.id, 'retire')
  const { credentials } = await agentOf(one.id)
  expect(credentials.map(({ status }: { status: string }) => status)).toEqual(['revoked'])
  const heir = await activeAgent(world, tenant)
  expectStatus(await bind(heir.id, 'retiring'), 201)
  const bound = await world.kernel.db.read(
    tenant.id,
    sql<{ user_id: string }>`select user_id from iam_outside_token where value = 'retiring'`,
  )
  expect(bound).toEqual([{ user_id: heir.id }])
})

test('a draft that a switch is about stays a draft', async () => {
  const draft = await addAgent(tenant, { tags: ['with-draft'] })
  const marker = await activeAgent(world, tenant, { tags: ['with-draft'] })
  await pull({ scope: 'agents_by_tag', value: 'with-draft' })
  await expect.poll(async () => (await agentOf(marker.id)).status, patience).toBe('quarantined')
  expect((await agentOf(draft.id)).status).toBe('draft')
})
