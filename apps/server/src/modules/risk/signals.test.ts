import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { addAnalysis, addRisk, appetite } from './testing/risk-world.ts'

/** Long enough for a busy machine; a test that passes does not wait for it. */
const patience = { timeout: 60_000, interval: 100 }

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('risk-signals')
})
afterAll(() => world?.close())

async function signals() {
  const at = world.kernel.clock.iso()
  const reports = await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => world.kernel.trustReports(tx, at))
  const found = reports.find(({ module }) => module === 'risk')?.report.signals ?? []
  return new Map(found.map(({ id, good, value, n }) => [id, { good, value, n }]))
}

test('a tenant without risks gives no evidence, and every count follows the register', async () => {
  const none = { good: null, value: null, n: null }
  const ids = ['exposure_vs_appetite', 'treatment_timeliness', 'kri_health', 'quantified_coverage']
  expect([...(await signals())]).toEqual(ids.map((id) => [id, none]))

  const actions = [
    { title: 'Late', due_at: '2020-01-01T00:00:00Z' },
    { title: 'Done late', due_at: '2020-01-01T00:00:00Z', status: 'done' },
    { title: 'Dropped', due_at: '2020-01-01T00:00:00Z', status: 'cancelled' },
    { title: 'In time', due_at: '2999-01-01T00:00:00Z' },
  ]
  const manual = { name: 'Typed', source: 'manual', amber: 1, red: 2, direction: 'above', value: 5 }
  const { id } = await addRisk(tenant, { treatment: { strategy: 'mitigate', actions }, kris: [manual] })
  await addRisk(tenant, { title: 'Nothing material', inherent: { likelihood: 1, impact: 1 } })
  const before = await signals()
  expect(before.get('treatment_timeliness')).toEqual({ good: 2, value: null, n: 3 })
  expect(before.get('kri_health')).toEqual(none)
  expect(before.get('quantified_coverage')).toEqual({ good: 0, value: null, n: 1 })
  const analysis = await addAnalysis(tenant, id)
  expect((await signals()).get('quantified_coverage')).toEqual({ good: 1, value: null, n: 1 })

  const values = { 'risk.appetites': { tenant: appetite } }
  expectStatus(await tenant.admin.patch('/admin/config', { values, comment: 'Decided by the board' }), 200)
  const body = { kind: 'portfolio', analysis_ids: [analysis.id], iterations: 20_000, seed: '1' }
  const made = expectStatus(await tenant.admin.post('/risk/simulations', body), 201).body.data
  const path = `/risk/simulations/${made.id}`
  await expect.poll(async () => (await tenant.admin.get(path)).body.data.status, patience).toBe('completed')
  await expect.poll(async () => (await signals()).get('exposure_vs_appetite')?.n, patience).toBe(1)
  // A's value at risk is 502,303: just above the tolerance of 500,000, where the signal is 60.
  expect((await signals()).get('exposure_vs_appetite')?.value).toBeCloseTo(60, 0)
})
