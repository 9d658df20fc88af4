import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { addRisk, moveTo } from '../testing/risk-world.ts'
import { upkeepJob } from './upkeep.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('risk-upkeep')
})
afterAll(() => world?.close())

async function isDue(): Promise<boolean> {
  const { clock, db } = world.kernel
  const ago = (ms: number) => new Date(clock.now() - ms).toISOString()
  const due = upkeepJob.due?.({ now: clock.iso(), ago }) ?? sql`true`
  const rows = await db.system('test', (tx) =>
    tx.query(sql<{ id: string }>`select tenant.id from unnest(${[tenant.id]}::uuid[]) as tenant(id) where ${due}`),
  )
  return rows.length > 0
}

const enqueue = () =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.enqueue({ kind: upkeepJob.kind, payload: {} }))
const turnBack = (id: string, column: 'acceptance_until' | 'review_due_at') =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.execute(
      column === 'acceptance_until'
        ? sql`update risk_register set acceptance_until = now() - interval '1 hour' where id = ${id}`
        : sql`update risk_register set review_due_at = now() - interval '1 hour' where id = ${id}`,
    ),
  )
const statusOf = async (id: string) => (await tenant.admin.get(`/risk/register/${id}`)).body.data.status

test('deadlines that passed, acceptances that ended and reviews that are due are found and told of once', async () => {
  const actions = [
    { title: 'Late', due_at: '2020-01-01T00:00:00Z' },
    { title: 'In time', due_at: '2999-01-01T00:00:00Z' },
  ]
  const late = await addRisk(tenant, { treatment: { strategy: 'mitigate', actions } })
  const accepted = await addRisk(tenant, { inherent: { likelihood: 1, impact: 1 } })
  await moveTo(tenant, accepted.id, 'identified', 'analyzed', 'evaluated')
  const until = new Date(world.kernel.clock.now() + 86_400_000).toISOString()
  const acceptance = { until, reason: 'Small' }
  expectStatus(await tenant.admin.patch(`/risk/register/${accepted.id}`, { status: 'accepted', acceptance }), 200)
  const watched = await addRisk(tenant)
  await moveTo(tenant, watched.id, 'identified', 'analyzed', 'evaluated', 'treating', 'monitoring')
  await turnBack(accepted.id, 'acceptance_until')
  await turnBack(watched.id, 'review_due_at')
  expect(await isDue()).toBe(true)
  await enqueue()
  await expect.poll(() => statusOf(accepted.id)).toBe('evaluated')
  await expect.poll(() => statusOf(watched.id)).toBe('evaluated')
  const missed = (await tenant.admin.get(`/risk/register/${late.id}`)).body.data.treatment.actions
  expect(missed[0].missed_at).not.toBeNull()
  expect(missed[1].missed_at).toBeNull()
  expect(await isDue()).toBe(false)
  const told = await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.query(sql<{ data: Record<string, unknown> }>`
      select data from outbox where channel = 'risk.treatment.deadline_missed'
      union all select data from event_log where channel = 'risk.treatment.deadline_missed'`),
  )
  expect(told.map(({ data }) => data.risk_id)).toEqual([late.id])
})
