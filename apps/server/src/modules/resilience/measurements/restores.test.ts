/** Backups that are made and proven in the running program, and the evidence that follows from them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { patience } from '../testing/resilience-world.ts'

let world: OwnWorld
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('restores')
})
afterAll(() => world?.close())

async function provenBackup(): Promise<string> {
  const { id } = expectStatus(await tenant.admin.post('/admin/backups', { kind: 'tenant' }), 201).body.data
  const read = async () => expectStatus(await tenant.admin.get('/admin/backups', { query: { id } }), 200).body.data[0]
  await expect.poll(async () => (await read()).status, patience).toBe('completed')
  return id
}

async function prove(id: string): Promise<void> {
  const job = expectStatus(await tenant.admin.post(`/admin/backups/${id}/restore`, { mode: 'verify' }), 201).body.data
  const state = async () => (await tenant.admin.get('/admin/jobs', { query: { id: job.id } })).body.data[0].status
  await expect.poll(state, { ...patience, timeout: 60_000 }).toBe('completed')
}

const database = async () =>
  expectStatus(await tenant.admin.get('/resilience/rto-rpo?service=database'), 200).body.data[0]

test('a timed restore is measured evidence of recovery, and two proven backups of the data that a loss costs', {
  timeout: 240_000,
}, async () => {
  const services = [
    {
      ...{ key: 'database', name: 'Database', kind: 'component', criticality: 5 },
      recovery_steps: [{ step: 'restore', distribution: { type: 'constant', value: 120 } }],
      objectives: { rto_minutes: 60, rpo_minutes: 1440 },
    },
  ]
  expectStatus(await tenant.admin.patch('/resilience/model', { mode: 'merge', services }), 200)
  const first = await provenBackup()
  await prove(first)
  await expect.poll(async () => (await database()).rto.measured?.n, patience).toBe(1)
  const once = await database()
  expect(once.rto.predicted).toMatchObject({ evidence: 'declared', p50: 120, verdict: 'not_met' })
  expect(once.rto.measured).toMatchObject({ evidence: 'restore', p_within: 1 })
  expect(once.rto.best.evidence).toBe('restore')
  expect(once.rpo.measured).toBeNull()

  const second = await provenBackup()
  await prove(second)
  await prove(second)
  await expect.poll(async () => (await database()).rto.measured?.n, patience).toBe(3)
  const { rpo } = await database()
  expect(rpo.measured).toMatchObject({ evidence: 'restore', n: 1, p_within: 1 })
})
