/** Simulations whose job ends otherwise than by itself. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addAnalysis, addRisk } from '../testing/risk-world.ts'
import { settleFailed } from './settle.ts'

/** Long enough for a busy machine; a test that passes does not wait for it. */
const patience = { timeout: 60_000, interval: 20 }

let world: World
let tenant: TestTenant
let analysis: string
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('risk-ends')
  analysis = (await addAnalysis(tenant, (await addRisk(tenant)).id)).id
})
afterAll(() => world?.close())

async function simulate(iterations: number): Promise<string> {
  const body = { kind: 'scenario', analysis_ids: [analysis], iterations, seed: '1' }
  return expectStatus(await tenant.admin.post('/risk/simulations', body), 201).body.data.id
}
const see = async (id: string) => expectStatus(await tenant.admin.get(`/risk/simulations/${id}`), 200).body.data
const cancelJob = (id: string) => tenant.admin.post(`/admin/jobs/${id}/retry`, { cancel: true })

test('a simulation is cancelled with its job, while it runs and while it waits', async () => {
  const running = await simulate(5_000_000)
  const waiting = await simulate(5_000_000)
  await expect.poll(async () => (await see(running)).progress, patience).toBeGreaterThan(0)
  expect((await see(waiting)).status).toBe('queued')
  for (const id of [waiting, running]) {
    expectStatus(await cancelJob(id), 200)
    expect(await see(id)).toMatchObject({ status: 'cancelled', finished_at: expect.any(String) })
  }
  await expect.poll(async () => (await see(running)).result, patience).not.toBeNull()
  expect((await see(running)).iterations_done).toBeGreaterThan(0)
  expect(await see(waiting)).toMatchObject({ status: 'cancelled', iterations_done: 0, result: null })
  const again = await tenant.admin.post(`/risk/simulations/${running}/cancel`)
  expect([again.status, again.body.error_code]).toEqual([409, 'RISK-012'])
  const query = { action: 'risk.simulation.cancel' }
  const entries = expectStatus(await tenant.admin.get('/admin/audit-logs', { query }), 200).body.data
  expect(entries.map(({ target }: { target: string }) => target).sort()).toEqual(
    [running, waiting].map((id) => `risk_simulation:${id}`).sort(),
  )
})

test('a simulation whose job failed for the last time has failed, and one that was completed stays so', async () => {
  const done = await simulate(4_096)
  await expect.poll(async () => (await see(done)).status, patience).toBe('completed')
  const waiting = await simulate(5_000_000)
  const queued = await simulate(5_000_000)
  const die = (id: string) =>
    world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => settleFailed(world.kernel, tx, id))
  await die(queued)
  await die(done)
  expect(await see(queued)).toMatchObject({ status: 'failed', failure: expect.any(String) })
  expect((await see(done)).status).toBe('completed')
  expectStatus(await tenant.admin.post(`/risk/simulations/${waiting}/cancel`), 200)
})
