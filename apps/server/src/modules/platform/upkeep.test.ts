/** Runs and deliveries go when their time is over, and what a legal hold keeps stays. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { sql } from '../../kernel/db/sql.ts'
import { deliveryUpkeep, messageUpkeep } from './deliveries/upkeep.ts'
import { runUpkeep } from './workflows/upkeep.ts'

let world: World
let tenant: TestTenant
let receiver: string
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('platform-upkeep')
  const body = { name: 'nobody', kind: 'webhook', config: { url: 'http://127.0.0.1:9/' } }
  receiver = expectStatus(await tenant.admin.post('/platform/integrations', body), 201).body.data.id
})
afterAll(() => world?.close())

const patience = { timeout: 20_000 }
const execute = (statement: ReturnType<typeof sql>) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.execute(statement))
const clean = ({ kind }: { readonly kind: string }) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.enqueue({ kind, payload: {} }))

test('a run goes a year after its end with its journal, another one stays', async () => {
  const steps = [{ id: 'a', type: 'set', with: { values: { x: '1' } } }]
  const definition = { trigger: { type: 'manual' }, steps }
  const { id } = expectStatus(await tenant.admin.post('/platform/workflows', { key: 'k', name: 'K', definition }), 201)
    .body.data
  const begin = async () =>
    expectStatus(await tenant.admin.post(`/platform/workflows/${id}/runs`, {}), 201).body.data.id as string
  const [old, young] = [await begin(), await begin()]
  const runs = async () =>
    expectStatus(await tenant.admin.get(`/platform/workflows/${id}/runs`), 200).body.data as {
      readonly id: string
      readonly status: string
    }[]
  await expect.poll(async () => (await runs()).every(({ status }) => status === 'completed'), patience).toBe(true)
  await execute(sql`update platform_run set ended_at = now() - interval '366 days' where id = ${old}`)
  await execute(sql`update platform_run set ended_at = now() - interval '364 days' where id = ${young}`)
  await clean(runUpkeep)
  await expect.poll(async () => (await runs()).map((run) => run.id), patience).toEqual([young])
  const [left] = await world.kernel.db.read(
    tenant.id,
    sql<{ n: number }>`select count(*)::int as n from platform_run_step where run_id = ${old}`,
  )
  expect(left?.n).toBe(0)
})

test('a delivery loses its message after 30 days, and goes after 90', async () => {
  const send = async () => {
    const path = `/platform/integrations/${receiver}/deliveries`
    expect((await tenant.admin.post(path, { kind: 'test' })).status).toBe(502)
    return (await log())[0]?.id ?? ''
  }
  const log = async () =>
    expectStatus(await tenant.admin.get(`/platform/integrations/${receiver}/deliveries`), 200).body.data as {
      readonly id: string
      readonly replayable: boolean
    }[]
  const [gone, silent, whole] = [await send(), await send(), await send()]
  const age = (id: string, days: number) =>
    execute(sql`update platform_delivery set created_at = now() - make_interval(days => ${days}::int) where id = ${id}`)
  await age(gone, 91)
  await age(silent, 31)
  await age(whole, 29)
  await clean(deliveryUpkeep)
  await clean(messageUpkeep)
  const seen = async () => (await log()).map(({ id, replayable }) => [id, replayable])
  await expect.poll(seen, patience).toEqual([
    [whole, true],
    [silent, false],
  ])
})
