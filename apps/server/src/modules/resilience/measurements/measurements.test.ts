import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { providerDegraded, providerRecovered } from '../../gateway/schemas/events.ts'
import { addProvider, ask } from '../../gateway/testing/support.ts'
import { fail, openUpstream, say, type Upstream } from '../../gateway/testing/upstream.ts'
import { patience } from '../testing/resilience-world.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
let providerId: string
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('measurements')
  upstream = await openUpstream()
  providerId = (await addProvider(tenant.admin, 'local', upstream)).id
})
afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const minutesAgo = (minutes: number) => new Date(world.kernel.clock.now() - minutes * 60_000).toISOString()
const told = (state: 'down' | 'healthy', since: string) => ({
  ...{ provider_id: providerId, state, reason: null, error_rate: state === 'down' ? 1 : 0, since },
})

test('an outage of a provider that the gateway saw is measured evidence of its service', async () => {
  const objectives = { rto_minutes: 5 }
  const body = { mode: 'merge', platform: true }
  expectStatus(await tenant.admin.patch('/resilience/model', body), 200)
  const [found] = expectStatus(await tenant.admin.get('/resilience/rto-rpo?service=provider-local&include=model'), 200)
    .body.data
  const services = [{ ...found.model, objectives }]
  expectStatus(await tenant.admin.patch('/resilience/model', { mode: 'merge', services }), 200)
  await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
    await tx.emit(providerDegraded, providerId, told('down', minutesAgo(30)))
    await tx.emit(providerRecovered, providerId, told('healthy', minutesAgo(10)))
  })
  const rto = async () =>
    expectStatus(await tenant.admin.get('/resilience/rto-rpo?service=provider-local'), 200).body.data[0].rto
  await expect.poll(async () => (await rto()).measured, patience).not.toBeNull()
  const measured = await rto()
  expect(measured).toMatchObject({ best: { evidence: 'incident', n: 1, verdict: 'not_met' }, decided_by: 'incident' })
  expect(measured.best.p95).toBeCloseTo(20, 1)
})

test('recent calls are counted with those that failed, for probes and error budgets', async () => {
  upstream.reply(say('Hello.'))
  for (let i = 0; i < 3; i += 1) expectStatus(await ask(tenant.admin, `Question ${i}`), 200)
  upstream.reply(fail(400))
  expect((await ask(tenant.admin, 'Another')).status).toBe(422)
  const read = () => readFact(world, tenant.id, 'gateway.recent_calls', { seconds: 3600 })
  await expect.poll(async () => (await read()).calls, patience).toBe(4)
  const fact = await read()
  expect(fact).toMatchObject({ failed: 1, error_rate: 0.25, latency_p95_ms: expect.any(Number) })
  expect(fact.targets).toContainEqual({ target: 'local/test-model', calls: expect.any(Number) })
  const none = await readFact(world, tenant.id, 'gateway.recent_calls', { provider: 'nobody' })
  expect(none).toMatchObject({ calls: 0, failed: 0, error_rate: null, latency_p50_ms: null, targets: [] })
})
