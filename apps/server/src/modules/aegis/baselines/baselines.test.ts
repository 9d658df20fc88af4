import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { ingest } from '../activity/ingest.ts'
import { type ActivityRecord, noDetails } from '../activity/record/record.ts'
import { agents } from '../agents/tables.ts'
import { activeAgent } from '../testing/agents-world.ts'
import { scoringJob } from './scoring-job.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('aegis-baselines')
})
afterAll(() => world?.close())

const patience = { timeout: 60_000, interval: 100 }
const hourMs = 3_600_000
const days = 40

/** The last hour that is scored: it ended ten minutes ago or more. */
const lastHour = () => Math.floor((world.kernel.clock.now() - 600_000) / hourMs) - 1

function calls(hour: number, count: number, tool: string): readonly ActivityRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    ...noDetails,
    ...{ event_id: `${hour}-${tool}-${index}`, type: 'tool.call', source: 'native', outcome: 'succeeded' },
    ...{ time: new Date(hour * hourMs + index * 20_000).toISOString(), tool, bytes_out: 100 },
  }))
}

/** Events of the past, which come in by no route. */
async function remember(agentId: string, records: readonly ActivityRecord[]): Promise<void> {
  await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) =>
    ingest(world.kernel, tx, { agent: await agents.need(tx, agentId), records }),
  )
}

async function score(agentId: string): Promise<void> {
  const isScored = async () => {
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.enqueue({ kind: scoringJob.kind, key: 'test', payload: {} }),
    )
    const [row] = await world.kernel.db.read(
      tenant.id,
      sql<{ scored_until: string }>`
      select scored_until from aegis_agent where id = ${agentId}`,
    )
    return Math.floor(Date.parse(row?.scored_until ?? '') / hourMs)
  }
  await expect.poll(isScored, patience).toBe(lastHour() + 1)
}

const anomaliesOf = async (query: Readonly<Record<string, string>>) =>
  expectStatus(await tenant.admin.get('/aegis/anomalies', { query }), 200).body.data
const baselineOf = async (id: string, query: Readonly<Record<string, string>> = {}) =>
  expectStatus(await tenant.admin.get(`/aegis/agents/${id}/baseline`, { query }), 200).body.data

async function pressure() {
  const at = world.kernel.clock.iso()
  const reports = await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => world.kernel.trustReports(tx, at))
  const aegis = reports.find(({ module }) => module === 'aegis')?.report.signals ?? []
  return aegis.find(({ id }) => id === 'anomaly_pressure')
}

test('forty quiet days, then a burst with a new tool: the anomalies name their events', async () => {
  const tools = [
    { server_slug: 'local', tool: 'search', capability: 'read' },
    { server_slug: 'local', tool: 'read', capability: 'read' },
  ]
  const { id } = await activeAgent(world, tenant, { tools })
  expect(await baselineOf(id)).toMatchObject({
    ready: false,
    features: expect.any(Array),
    warm_up: { days_needed: 14 },
  })
  const last = lastHour()
  const quiet = Array.from({ length: days * 24 }, (_, index) => last - days * 24 + index)
  await remember(
    id,
    quiet.flatMap((hour) => [...calls(hour, 2, 'search'), ...calls(hour, 1, 'read')]),
  )
  await remember(id, [...calls(last, 40, 'search'), ...calls(last, 10, 'delete_all')])
  await score(id)
  const found = await anomaliesOf({ agent_id: id })
  expect(found.map(({ detector, feature }: Record<string, string>) => [detector, feature]).toSorted()).toEqual(
    expect.arrayContaining([
      ['level', expect.any(String)],
      ['novelty', 'tool:local/delete_all'],
    ]),
  )
  const [level] = await anomaliesOf({ agent_id: id, detector: 'level' })
  expect(level).toMatchObject({
    ...{ window_start: new Date(last * hourMs).toISOString(), window_end: new Date((last + 1) * hourMs).toISOString() },
    ...{ label: null, severity: expect.stringMatching(/^(high|critical)$/) },
  })
  expect(level.observed).toBeGreaterThan(level.threshold)
  expect(level.threshold).toBeGreaterThan(level.expected)
  expect(level.contributors.length).toBeGreaterThan(10)
  const [novelty] = await anomaliesOf({ agent_id: id, q: 'tool:local/delete' })
  expect(novelty.contributors).toContain(`${last}-delete_all-0`)
  const alert = expectStatus(await tenant.admin.get(`/aegis/alerts/${level.alert_id}`), 200).body.data
  expect(alert).toMatchObject({ severity: level.severity, entities: [{ type: 'agent', id }] })
  const signal = await pressure()
  expect(signal?.observed_at).not.toBeNull()
  expect(signal?.events?.map((event) => event.id)).toContain(`alert:${alert.id}`)
  expect(signal?.events?.map((event) => event.id)).not.toContain(`anomaly:${level.id}`)
  for (const status of ['triaged', 'in_progress'])
    expectStatus(await tenant.admin.patch(`/aegis/alerts/${alert.id}`, { status }), 200)
  const resolved = { status: 'resolved', resolution: 'false_positive', comment: 'A test of the team' }
  expectStatus(await tenant.admin.patch(`/aegis/alerts/${alert.id}`, resolved), 200)
  expect((await anomaliesOf({ agent_id: id, label: 'false_positive' })).length).toBeGreaterThan(0)
  expect(await readFact(world, tenant.id, 'aegis.activity', { days: 1 })).toMatchObject({
    agents: 1,
    anomalies: found.length,
  })
  expect(await readFact(world, tenant.id, 'aegis.agents')).toMatchObject({ total: 1, active: 1, drifting: 1 })
})

test('what is normal is shown by feature, bucket, tools and steps', async () => {
  const [{ id }] = (await tenant.admin.get('/aegis/agents')).body.data
  const baseline = await baselineOf(id, { feature: 'calls' })
  expect(baseline).toMatchObject({ ready: true, agent_id: id })
  expect(baseline.features).toHaveLength(1)
  const { buckets } = baseline.features[0]
  expect(buckets).toHaveLength(48)
  expect(buckets.find(({ day }: { day: string }) => day === 'weekday').median).toBeCloseTo(3, 5)
  expect(baseline.tool_mix[0]).toMatchObject({ tool: 'local/search' })
  expect(baseline.transitions[0].probability).toBeGreaterThan(0.5)
  expect(baseline.sequence.windows).toBeGreaterThan(0)
  expect((await tenant.admin.get('/aegis/agents/01900000-0000-7000-8000-000000000000/baseline')).status).toBe(404)
})

test('hours are scored once: another run finds nothing more', async () => {
  const [{ id }] = (await tenant.admin.get('/aegis/agents')).body.data
  const before = await anomaliesOf({ agent_id: id })
  await score(id)
  expect(await anomaliesOf({ agent_id: id })).toEqual(before)
})
