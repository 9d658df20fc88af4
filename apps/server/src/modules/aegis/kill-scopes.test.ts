/** Each scope of a kill switch, from the door of the module to the calls that it refuses. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../test/support/client.ts'
import { ownCredentials } from '../../../test/support/own-credentials.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../test/support/world.ts'
import { addProvider, ask } from '../gateway/testing/support.ts'
import { openUpstream, type Upstream } from '../gateway/testing/upstream.ts'
import { addServer, approveAll, callingAgent, modernAsk } from './mcp/testing/mcp-world.ts'
import { openMcpUpstream, type TestUpstream } from './mcp/testing/upstream.ts'
import { ownId } from './testing/agents-world.ts'

let world: OwnWorld
let tenant: TestTenant
let model: Upstream
let mcp: TestUpstream
let slug: string
let agent: { readonly id: string; readonly client: TestClient; readonly credential: { readonly id: string } }
let other: typeof agent

// Its own, because a switch of the platform stops the tests of others.
beforeAll(async () => {
  world = await openWorld({ own: true })
  model = await openUpstream()
  mcp = await openMcpUpstream('modern')
  tenant = await world.tenant('kill-scopes')
  await addProvider(tenant.admin, 'local', model)
  const target = { provider: 'local', model: 'test-model' }
  expectStatus(await tenant.admin.post('/gateway/routes', { name: 'main', targets: [target] }), 201)
  const server = await addServer(tenant.admin, mcp)
  slug = server.slug
  await approveAll(tenant.admin, server.id)
  const models = [{ provider: '*', model: '*' }]
  agent = await callingAgent(world, tenant, { models, tags: ['batch'] })
  const owner = await tenant.as('ai_engineer')
  await ownCredentials(world, tenant.id)
  other = await callingAgent(world, tenant, { models, owner_user_id: await ownId(owner) })
  owned = await ownId(owner)
})
let owned: string
afterAll(async () => {
  await model?.close()
  await mcp?.close()
  await world?.close()
})

const reason = 'an exercise of the incident team'
const path = '/aegis/kill-switches'

/** Whether calls pass: of a model, of a model by a route, and of a tool. */
async function passing({ client }: { readonly client: TestClient }, over: object = {}) {
  const call = await ask(client, `May I? ${Math.random()}`, over)
  const report = await modernAsk({ client, slug }, 'tools/call', { name: 'echo', arguments: {} })
  return {
    model: call.status === 200 ? 'passes' : call.body.error_code,
    tool: report.body.error?.data?.error_code ?? (report.status === 200 ? 'passes' : report.body.error_code),
  }
}

const passes = { model: 'passes', tool: 'passes' }
const stopped = { model: 'GW-010', tool: 'AEGIS-008' }

interface Case {
  readonly body: () => object
  /** Of calls of the agent whose owner is the administrator. */
  readonly own: object
  /** Of calls of the other one. */
  readonly others: object
  readonly over?: object
  readonly by?: () => TestClient
}

const cases: Readonly<Record<string, Case>> = {
  agent: { body: () => ({ value: agent.id }), own: stopped, others: passes },
  agents_by_tag: { body: () => ({ value: 'batch' }), own: stopped, others: passes },
  user: { body: () => ({ value: owned }), own: passes, others: stopped },
  key: { body: () => ({ value: agent.credential.id }), own: stopped, others: passes },
  provider: {
    body: () => ({ value: 'local' }),
    own: { ...passes, model: 'GW-010' },
    others: { ...passes, model: 'GW-010' },
  },
  model: {
    body: () => ({ value: 'test-model' }),
    own: { ...passes, model: 'GW-010' },
    others: { ...passes, model: 'GW-010' },
  },
  route: {
    body: () => ({ value: 'main' }),
    over: { model: 'main' },
    own: { ...passes, model: 'GW-010' },
    others: { ...passes, model: 'GW-010' },
  },
  mcp_server: {
    body: () => ({ value: slug }),
    own: { ...passes, tool: 'AEGIS-008' },
    others: { ...passes, tool: 'AEGIS-008' },
  },
  tool: {
    body: () => ({ value: `${slug}/echo` }),
    own: { ...passes, tool: 'AEGIS-008' },
    others: { ...passes, tool: 'AEGIS-008' },
  },
  tenant: { body: () => ({}), own: stopped, others: stopped },
  platform: { body: () => ({}), own: stopped, others: stopped, by: () => world.operator },
}

test.each(Object.entries(cases))('a switch of the scope %s stops its calls until it ends', async (scope, wanted) => {
  const { body, own, others, over = {}, by = () => tenant.admin } = wanted
  expect([await passing(agent, over), await passing(other, over)]).toEqual([passes, passes])
  const made = expectStatus(await by().post(path, { scope, level: 'block_new', reason, ...body() }), 201).body.data
  expect(made).toMatchObject({ scope, source: 'aegis', status: 'active' })
  expect([await passing(agent, over), await passing(other, over)]).toEqual([own, others])
  const end = `${path}/${made.id}/deactivate`
  const ended = await by().post(end, { reason })
  if (scope === 'tenant') {
    const second = await tenant.as('tenant_admin')
    await ownCredentials(world, tenant.id)
    expect(ended.status).toBe(403)
    const confirm_token = ended.body.confirm_token
    const outcome = await second.post(end, { reason, confirm_token })
    if (outcome.status !== 200) expectStatus(await by().post(end, { reason, confirm_token }), 200)
  } else expectStatus(ended, 200)
  expect([await passing(agent, over), await passing(other, over)]).toEqual([passes, passes])
})

test('an agent that gets the tag, or the owner, of a switch in force is stopped from then on', async () => {
  const made = expectStatus(
    await tenant.admin.post(path, { scope: 'agents_by_tag', value: 'batch', level: 'block_new', reason }),
    201,
  ).body.data
  expect(await passing(other)).toEqual(passes)
  expectStatus(await tenant.admin.patch(`/aegis/agents/${other.id}`, { tags: ['batch'] }), 200)
  await expect.poll(() => passing(other), { timeout: 30_000 }).toEqual(stopped)
  expectStatus(await tenant.admin.patch(`/aegis/agents/${other.id}`, { tags: [] }), 200)
  await expect.poll(() => passing(other), { timeout: 30_000 }).toEqual(passes)
  expectStatus(await tenant.admin.post(`${path}/${made.id}/deactivate`, { reason }), 200)
})
