import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { ingest } from '../activity/ingest.ts'
import { noDetails } from '../activity/record/record.ts'
import { agents } from '../agents/tables.ts'
import { activeAgent } from '../testing/agents-world.ts'
import { fewestPeers } from './engine/peers.ts'
import { emptyState } from './engine/state.ts'
import { scoreAgent } from './score-agent.ts'
import { writeLearned } from './store.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('aegis-peers')
})
afterAll(() => world?.close())

const hourMs = 3_600_000
const group = { tags: ['invoices'] }
const inTenant = <T>(work: Parameters<typeof world.kernel.db.tenant<T>>[1]) =>
  world.kernel.db.tenant<T>({ tenantId: tenant.id }, work)

/** An agent with two months of ten calls in each hour. */
async function oldAgent(hour: number): Promise<void> {
  const { id } = await activeAgent(world, tenant, group)
  const state = emptyState(hour - 60 * 24)
  const y = 2 * Math.sqrt(10 + 3 / 8)
  const ring = Array.from({ length: 20 }, (_, at) => [hour - (at + 1) * 24, y] as const)
  const buckets = new Map(Array.from({ length: 48 }, (_, number) => [number, { calls: ring }]))
  const learned = { ...state, totals: { ...state.totals, calls: 10_000 } }
  await inTenant((tx) => writeLearned(tx, { agentId: id, state: learned, buckets, at: world.kernel.clock.iso() }))
}

/** Calls in an hour that is over, and their scoring. */
async function scored(id: string, hour: number, calls: number): Promise<number> {
  const records = Array.from({ length: calls }, (_, at) => ({
    ...noDetails,
    ...{ event_id: `${id}-${at}`, type: 'tool.call' as const, source: 'native' as const, tool: 't' },
    ...{ time: new Date(hour * hourMs + at * 1_000).toISOString(), outcome: 'succeeded' as const },
  }))
  await inTenant(async (tx) => ingest(world.kernel, tx, { agent: await agents.need(tx, id), records }))
  return inTenant(async (tx) => {
    await tx.execute(
      sql`update aegis_agent set scored_until = ${new Date(hour * hourMs).toISOString()} where id = ${id}`,
    )
    return scoreAgent(world.kernel, tx, await agents.need(tx, id))
  })
}

const anomaliesOf = async (id: string) =>
  expectStatus(await tenant.admin.get('/aegis/anomalies', { query: { agent_id: id, detector: 'level' } }), 200).body
    .data

test('five agents alike supply the baseline of a new one', async () => {
  const hour = Math.floor(world.kernel.clock.now() / hourMs) - 3
  const tools = [{ server_slug: 'local', tool: 't', capability: 'read' }]
  const alone = await activeAgent(world, tenant, { tools, tags: ['payroll'] })
  const loud = await activeAgent(world, tenant, { tools, ...group })
  const usual = await activeAgent(world, tenant, { tools, ...group })
  for (let made = 0; made < fewestPeers; made += 1) await oldAgent(hour)
  await scored(alone.id, hour, 400)
  await scored(usual.id, hour, 12)
  await scored(loud.id, hour, 400)
  expect(await anomaliesOf(alone.id)).toEqual([])
  expect(await anomaliesOf(usual.id)).toEqual([])
  const [found] = await anomaliesOf(loud.id)
  expect(found).toMatchObject({ feature: 'calls', observed: 400, baseline: 'peers' })
  expect(found.expected).toBeCloseTo(10, 5)
  const { warm_up: warmUp } = (await tenant.admin.get(`/aegis/agents/${loud.id}/baseline`)).body.data
  expect(warmUp).toMatchObject({ peers: fewestPeers, peers_needed: fewestPeers })
  const other = (await tenant.admin.get(`/aegis/agents/${alone.id}/baseline`)).body.data
  expect(other).toMatchObject({ ready: false, warm_up: { peers: 0 } })
})
