/** Dry runs on records of the gateway and the firewall, without any report of the agent's own. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../../test/support/world.ts'
import { addProvider, ask } from '../../../gateway/testing/support.ts'
import { openUpstream, type Upstream } from '../../../gateway/testing/upstream.ts'
import { addServer, approveAll, callingAgent, modernAsk } from '../../mcp/testing/mcp-world.ts'
import { openMcpUpstream, type TestUpstream } from '../../mcp/testing/upstream.ts'

let world: World
let model: Upstream
let mcp: TestUpstream
let tenant: TestTenant
let slug: string
let agent: Awaited<ReturnType<typeof callingAgent>>

beforeAll(async () => {
  world = await openWorld()
  model = await openUpstream()
  mcp = await openMcpUpstream('modern')
  tenant = await world.tenant('recorded-calls')
  await addProvider(tenant.admin, 'local', model)
  const server = await addServer(tenant.admin, mcp)
  slug = server.slug
  await approveAll(tenant.admin, server.id, { echo: ['payment'] })
  agent = await callingAgent(world, tenant, { models: [{ provider: '*', model: '*' }] })
})
afterAll(async () => {
  await model?.close()
  await mcp?.close()
  await world?.close()
})

const patience = { timeout: 60_000, interval: 200 }

async function tried(guardrail: object) {
  const now = world.kernel.clock.now()
  const window = { from: new Date(now - 3_600_000).toISOString(), to: new Date(now + 60_000).toISOString() }
  const body = { guardrail: { action: 'deny', ...guardrail }, window }
  return expectStatus(await tenant.admin.post('/aegis/guardrails/evaluate', body), 200).body.data
}

const cel = (expression: string) => [{ type: 'cel', expression }]

test('model calls of the gateway are tried by their model, and what was said in them stays undecided', async () => {
  expectStatus(await ask(agent.client, 'Hello.'), 200)
  const byModel = { kind: 'input', checks: cel('request.model == "test-model"') }
  await expect.poll(async () => (await tried(byModel)).counts.matched, patience).toBe(1)
  expect(await tried(byModel)).toMatchObject({
    ...{ source: 'recorded', counts: { items: 1, undecided: 0 }, agents: [{ name: agent.id, matched: 1 }] },
  })
  const byText = await tried({ kind: 'input', checks: cel('input.text.contains("Hello")') })
  expect(byText.counts).toMatchObject({ items: 1, matched: 0, undecided: 1 })
})

test('tool calls of the firewall are tried with the labels and the trust of the register', async () => {
  const at = { client: agent.client, slug }
  for (const name of ['echo', 'add']) expectStatus(await modernAsk(at, 'tools/call', { name, arguments: {} }), 200)
  const all = { kind: 'tool', checks: cel('server.trust == "reviewed" && tool.pinned') }
  await expect.poll(async () => (await tried(all)).counts.matched, patience).toBe(2)
  const paying = await tried({ kind: 'flow', checks: [{ type: 'flow', tool_labels_any: ['payment'] }] })
  expect(paying).toMatchObject({ counts: { items: 2, matched: 1 }, tools: [{ name: `${slug}/echo`, matched: 1 }] })
})
