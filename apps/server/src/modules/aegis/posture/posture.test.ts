import { afterAll, beforeAll, expect, test } from 'vitest'
import { UploadBody } from '../../../../test/support/upload-body.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { squidLine } from '../shadow-ai/testing/logs.ts'
import { postureJob } from './refresh.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const posture = async ({ admin }: TestTenant, query: Readonly<Record<string, string>> = {}) =>
  expectStatus(await admin.get('/aegis/posture', { query }), 200).body.data

type Named = { readonly name: string; readonly value: number; readonly has_data: boolean }
const component = (data: { components: Named[] }, name: string) => data.components.find((one) => one.name === name)

async function useOf(tenant: TestTenant, host: string): Promise<void> {
  const at = Math.floor(world.kernel.clock.now() / 1_000)
  const log = squidLine({ at, target: `CONNECT ${host}:443`, user: 'ann' })
  expectStatus(
    await tenant.admin.post('/aegis/shadow-ai/ingestions', UploadBody.stream('text/plain', Buffer.from(log))),
    201,
  )
}

test('the posture can be recomputed from its components, of which some have no data', async () => {
  const tenant = await world.tenant('posture-new')
  const empty = await posture(tenant)
  expect(empty).toMatchObject({ caps: [], previous: null, history: [] })
  // The rules may have looked at the tenant's first events already, which found nothing.
  expect([0, 0.15]).toContain(empty.confidence)
  expect(empty.score).toBe(100 * empty.confidence)
  expect(component(empty, 'guardrail_coverage')).toMatchObject({ value: 0, has_data: false })
  await useOf(tenant, 'claude.ai')
  const unapproved = await posture(tenant)
  expect(component(unapproved, 'shadow_ai')).toMatchObject({ value: 0, has_data: true, inputs: { requests: 1 } })
  const [service] = (await tenant.admin.get('/aegis/shadow-ai/services')).body.data
  for (const body of [{ status: 'under_review' }, { status: 'sanctioned', reason: 'Contract' }])
    expectStatus(await tenant.admin.patch(`/aegis/shadow-ai/services/${service.id}`, body), 200)
  const approved = await posture(tenant)
  expect(component(approved, 'shadow_ai')).toMatchObject({ value: 1 })
  const sum = approved.components.reduce(
    (all: number, one: { weight: number; value: number }) => all + 100 * one.weight * one.value,
    0,
  )
  expect(approved.score).toBeCloseTo(sum, 1)
})

test('points are stored for changes and told of, at once for a kill switch', async () => {
  const tenant = await world.tenant('posture-points')
  await useOf(tenant, 'claude.ai')
  const points = async () => (await posture(tenant)).history as { score: number }[]
  await expect.poll(async () => (await points()).length, { timeout: 10_000 }).toBe(1)
  const reason = 'An incident that is being looked into'
  expectStatus(await tenant.admin.post('/gateway/kill-switches', { scope: 'tenant', reason }), 201)
  const told = () =>
    world.kernel.db.read(
      tenant.id,
      sql<{ data: { score: number; previous: number | null; caps: { reason: string }[] } }>`
        select data, time from outbox where channel = 'aegis.posture.updated'
        union all select data, time from event_log where channel = 'aegis.posture.updated' order by time`,
    )
  const reasons = async () => (await told()).flatMap(({ data }) => data.caps.map((cap) => cap.reason))
  // Within the minute of the first point.
  await expect.poll(reasons, { timeout: 10_000 }).toContain('kill_switch_active')
  const events = (await told()).map(({ data }) => data)
  expect(events[0]).toMatchObject({ previous: null, caps: [] })
  expect(events.at(1)?.previous).toBe(events[0]?.score)
  expect((await posture(tenant)).caps).toContainEqual({ reason: 'kill_switch_active', max: 40 })
})

test('old points are thinned to the newest of each hour', async () => {
  const tenant = await world.tenant('posture-thin')
  await useOf(tenant, 'claude.ai')
  await expect.poll(async () => (await posture(tenant)).history.length, { timeout: 10_000 }).toBe(1)
  const hour = Math.floor(world.kernel.clock.now() / 3_600_000) * 3_600_000
  const old = [1, 2, 3].map((minute) => hour - 10 * 86_400_000 + minute * 60_000)
  const next = hour - 10 * 86_400_000 + 3_600_000
  await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
    for (const at of [...old, next])
      await tx.execute(sql`
        insert into aegis_posture (id, created_at, score, previous, confidence, components, caps)
        select ${world.kernel.random.uuid()}, ${new Date(at).toISOString()}, 1, null, 0, components, caps
        from aegis_posture limit 1`)
    await tx.enqueue({ kind: postureJob.kind, payload: {} })
  })
  const days = { from: new Date(hour - 30 * 86_400_000).toISOString() }
  const times = async () => (await posture(tenant, days)).history.map(({ at }: { at: string }) => Date.parse(at))
  await expect.poll(async () => (await times()).slice(0, 2), { timeout: 10_000 }).toEqual([old[2], next])
  expectStatus(
    await tenant.admin.get('/aegis/posture', { query: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }),
    400,
  )
})
