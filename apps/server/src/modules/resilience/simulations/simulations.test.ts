import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { simulateRuns } from '../engine/simulate.ts'
import { patience } from '../testing/resilience-world.ts'
import { resultOf } from './result.ts'

let world: World
let tenant: TestTenant
const hours = (mean: number) => ({ type: 'exponential', mean }) as const
const services = [
  {
    ...{ key: 'db', name: 'DB', kind: 'component', criticality: 5, failure: hours(1000) },
    recovery_steps: [{ step: 'restore', distribution: { type: 'pert', low: 60, mode: 200, high: 600 } }],
    data: { interval_minutes: 60, lag_minutes: 5, restore_success: 0.9 },
    objectives: { rto_minutes: 480, rpo_minutes: 120 },
  },
  {
    ...{ key: 'app', name: 'App', kind: 'application', criticality: 4, cost_per_hour: 100 },
    dependencies: [{ target: 'db', type: 'hard' }],
    objectives: { rto_minutes: 30 },
  },
]

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('resilience-simulations')
  expectStatus(await tenant.admin.patch('/resilience/model', { mode: 'replace', services }), 200)
})
afterAll(() => world?.close())

const post = (body: object) => tenant.admin.post('/resilience/simulations', body)
const see = async (id: string, query = '') =>
  expectStatus(await tenant.admin.get(`/resilience/simulations/${id}${query}`), 200).body.data
async function completed(body: object) {
  const { id, status } = expectStatus(await post(body), 201).body.data
  expect(status).toBe('queued')
  await expect.poll(async () => (await see(id)).status, patience).toBe('completed')
  return id as string
}
const told = ({ status, body }: { status: number; body: { error_code: string } }) => [status, body.error_code]

test('a simulation gives verdicts with intervals, the same for any division of its runs, and becomes the prediction', async () => {
  const body = { runs: 1200, horizon_hours: 8760, seed: '42' }
  const id = await completed(body)
  const done = await see(id, '?include=histogram,critical_path,timeline')
  const { result } = done
  expect(result).toMatchObject({ runs_done: 1200, verdicts: { not_met: 2 }, worst_service: 'app' })
  const app = result.services.find(({ service }: { service: string }) => service === 'app')
  expect(app.rto).toMatchObject({ evidence: 'simulation', verdict: 'not_met' })
  expect(app.histogram).toHaveLength(20)
  expect(result.critical_path).toContainEqual({ service: 'app', component: 'db', share: 1 })
  const [row] = expectStatus(await tenant.admin.get('/resilience/rto-rpo?service=app'), 200).body.data
  expect(row.rto).toMatchObject({ decided_by: 'simulation', verdict: 'not_met' })
  const parts = { services: services as never, common_causes: [] }
  const inputs = { parts, failing: {}, horizonHours: 8760, seed: '42' }
  const blocks = [1000, 0, 500].map((from) => ({ from, ...simulateRuns(inputs, from, Math.min(1200, from + 500)) }))
  const here = resultOf({ parts, horizonHours: 8760, runs: 1200, blocks: blocks.sort((a, b) => a.from - b.from) })
  expect(here.services.map(({ rto }) => rto?.p95)).toEqual(
    result.services.map(({ rto }: { rto: { p95: number } | null }) => rto?.p95),
  )
  expect((await see(await completed(body))).result_sha256).toBe(done.result_sha256)
})

test('an exact analysis is completed at once', async () => {
  const made = expectStatus(await post({ method: 'exact' }), 201).body.data
  expect(made).toMatchObject({ status: 'completed', progress: 1, result: { verdicts: { met: 1, not_met: 2 } } })
})

test('what if the recovery were quicker: an override changes the result and not the prediction', async () => {
  const quick = [{ step: 'restore', distribution: { type: 'constant', value: 10 } }]
  const made = expectStatus(await post({ method: 'exact', overrides: [{ service: 'db', recovery_steps: quick }] }), 201)
    .body.data
  expect(made.result.verdicts).toEqual({ met: 3, not_met: 0, uncertain: 0 })
  expect(told(await post({ method: 'exact', overrides: [{ service: 'x' }] }))).toEqual([422, 'RES-005'])
})

test('the services of a scenario fail at their time', async () => {
  const scenario = { name: 'Loss of the database', failing_services: [{ service: 'd*', at_minutes: 60 }] }
  const { id: scenario_id } = expectStatus(await tenant.admin.post('/resilience/scenarios', scenario), 201).body.data
  const id = await completed({ scenario_id, runs: 100, horizon_hours: 24, seed: '1' })
  const { result } = await see(id, '?include=timeline')
  expect(result.timeline).toContainEqual(expect.objectContaining({ service: 'db', start_minutes: 60, finished: true }))
  expect(told(await post({ scenario_id: world.kernel.random.uuid() }))).toEqual([422, 'RES-005'])
})

test('one that runs is cancelled, and keeps its place', async () => {
  const { id } = expectStatus(await post({ runs: 100_000, horizon_hours: 87_600 }), 201).body.data
  await expect.poll(async () => (await see(id)).status, patience).toBe('running')
  const cancelled = expectStatus(await post({ cancel: id }), 200).body.data
  expect(cancelled).toMatchObject({ id, status: 'cancelled', result: null })
  expect(told(await post({ cancel: id }))).toEqual([422, 'RES-007'])
  expect((await see(id)).status).toBe('cancelled')
})

test('more work than some minutes of the processor, or another member beside cancel, is refused', async () => {
  expect(told(await post({ runs: 1_000_000, horizon_hours: 876_000 }))).toEqual([422, 'RES-007'])
  expect(told(await post({ cancel: world.kernel.random.uuid(), runs: 100 }))).toEqual([400, 'API-001'])
  expect(told(await post({ cancel: world.kernel.random.uuid() }))).toEqual([422, 'RES-005'])
})
