import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFact } from '../../../test/support/facts.ts'
import { expectStatus, openWorld, type World } from '../../../test/support/world.ts'
import { sql } from '../../kernel/db/sql.ts'
import { requestApproval } from './approvals/request.ts'
import { addServer, approveAll } from './mcp/testing/mcp-world.ts'
import { openMcpUpstream } from './mcp/testing/upstream.ts'
import { activeAgent } from './testing/agents-world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('kill switches are in force from their activation to their end', async () => {
  const tenant = await world.tenant('aegis-facts')
  const other = await world.tenant('aegis-facts-other')
  const inForce = (id = tenant.id) => readFact(world, id, 'aegis.kill_switches')
  const path = '/gateway/kill-switches'
  expect(await inForce()).toEqual({ kill_switches: [] })
  const body = { scope: 'model', value: 'echo-1', reason: 'The model is out of use' }
  const made = expectStatus(await tenant.admin.post(path, body), 201).body.data
  expect(await inForce()).toEqual({
    kill_switches: [
      {
        ...{ id: made.id, scope: 'model', value: 'echo-1', level: made.level, source: 'gateway' },
        ...{ reason: body.reason, activated_at: made.activated_at, expires_at: null },
      },
    ],
  })
  expect(await inForce(other.id)).toEqual({ kill_switches: [] })
  expectStatus(await tenant.admin.post(`${path}/${made.id}/deactivate`, { reason: 'The model works again' }), 200)
  expect(await inForce()).toEqual({ kill_switches: [] })
})

test('guardrails tell how many of the agents and of their tools they cover', async () => {
  const tenant = await world.tenant('aegis-facts-rails')
  const read = () => readFact(world, tenant.id, 'aegis.guardrails')
  expect(await read()).toMatchObject({ total: 0, agents: 0, agents_covered: 0, guardrails: [] })
  const agent = await activeAgent(world, tenant)
  const event = { event_id: 'e', time: world.kernel.clock.iso(), type: 'tool.call', server: 'bank', tool: 'wire' }
  expectStatus(await agent.client.post('/aegis/activity', { events: [event] }), 200)
  const checks = [{ type: 'cel', expression: 'true' }]
  for (const kind of ['input', 'output', 'tool']) {
    const body = { name: `All of ${kind}`, kind, checks, action: 'monitor' }
    const { id } = expectStatus(await tenant.admin.post('/aegis/guardrails', body), 201).body.data
    const rollOut = async (to: object) =>
      expectStatus(await tenant.admin.post(`/aegis/guardrails/${id}/rollout`, to), 200)
    await rollOut({ mode: 'monitor' })
    if (kind !== 'output') await rollOut({ mode: 'enforce' })
  }
  expect(await read()).toMatchObject({
    ...{ total: 3, monitored: 1, enforced: 2, enforced_in_part: 0 },
    // An agent is covered with its answers, too.
    ...{ agents: 1, agents_covered: 0, tools_used: 1, tools_covered: 1 },
    guardrails: [{ kind: 'tool', status: 'enforce', rollout_percent: 100 }, { status: 'monitor' }, { kind: 'input' }],
  })
})

test('approvals are counted by outcome, and those that wait by their age', async () => {
  const tenant = await world.tenant('aegis-facts-approvals')
  const read = () => readFact(world, tenant.id, 'aegis.approvals')
  const none = { pending: 0, oldest_pending_seconds: null, requested_30d: 0, median_wait_seconds_30d: null }
  expect(await read()).toMatchObject(none)
  const { id: agentId } = await activeAgent(world, tenant)
  const approver = await tenant.as('security_admin')
  const within = <T>(work: Parameters<typeof world.kernel.db.tenant<T>>[1]) =>
    world.kernel.db.tenant({ tenantId: tenant.id }, work)
  const ask = (tool: string) =>
    within((tx) =>
      requestApproval(world, tx, {
        ...{ agentId, userId: null, sessionId: null, server: 'bank', tool, args: {}, guardrails: [], pinSha256: null },
        ...{ labels: [], riskTier: 1, destructive: false, approverRoles: [], minApprovers: 1 },
        ...{ timeoutSeconds: 600, waitForm: 'retry' },
      }),
    )
  await ask('waits')
  for (const decision of ['approve', 'deny']) {
    const { id, args_sha256 } = (await ask(decision)).approval
    expectStatus(await approver.post(`/aegis/approvals/${id}/decision`, { decision, args_sha256 }), 200)
  }
  const old = (await ask('old')).approval.id
  await within((tx) =>
    tx.execute(
      sql`update aegis_approval set status = 'denied', created_at = now() - interval '31 days' where id = ${old}`,
    ),
  )
  const found = await read()
  expect(found).toMatchObject({ pending: 1, requested_30d: 3, approved_30d: 1, denied_30d: 1, expired_30d: 0 })
  expect(found.oldest_pending_seconds).toBeGreaterThanOrEqual(0)
  expect(found.median_wait_seconds_30d).toBeGreaterThanOrEqual(0)
})

test('servers are told with how far their tools are decided', async () => {
  const tenant = await world.tenant('aegis-facts-servers')
  const upstream = await openMcpUpstream('modern')
  const { id, slug } = await addServer(tenant.admin, upstream)
  const read = () => readFact(world, tenant.id, 'aegis.mcp_servers')
  const before = await read()
  expect(before).toMatchObject({ total: 1, servers: [{ id, slug, trust: 'reviewed', approved: 0 }] })
  const [{ undecided }] = before.servers as [{ undecided: number }]
  expect(undecided).toBeGreaterThan(0)
  await approveAll(tenant.admin, id)
  expect(await read()).toMatchObject({ active: 1, servers: [{ approved: undecided, undecided: 0 }] })
  await upstream.close()
})
