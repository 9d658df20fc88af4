import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { dollarATokenPrice, eventually, makeBudget, priceModel } from '../testing/money.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'
import { budgetExceeded, budgetWarned } from './events.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('alarm')
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
  await addProvider(tenant.admin, 'local', upstream, { models: ['test-model'] })
  await priceModel(tenant.admin, 'test-model', dollarATokenPrice)
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

interface Told {
  readonly channel: string
  readonly data: Record<string, unknown>
}

const toldOf = (budgetId: string) =>
  world.kernel.db.system('test', (tx) =>
    tx.query(sql<Told>`select channel, data from event_log where subject = ${budgetId} order by position`),
  )

const adjust = async (id: string, amount: string) =>
  expectStatus(
    await tenant.admin.patch(`/gateway/budgets/${id}`, { adjust: { amount, reason: 'Moved by a test of levels' } }),
    200,
  )

test('each level is told once, in order, as warned or exceeded', async () => {
  const budget = await makeBudget(tenant.admin, { amount: '100', scope: [{ kind: 'tag', value: 'none' }] })
  for (const amount of ['49', '1', '5', '30', '-30', '30', '20']) await adjust(budget.id, amount)
  const told = await eventually(
    () => toldOf(budget.id),
    (found) => found.length >= 3,
  )
  expect(told.map(({ channel, data }) => [channel, data.level])).toEqual([
    ['gateway.budget.warned', 50],
    ['gateway.budget.warned', 80],
    ['gateway.budget.exceeded', 100],
  ])
  for (const { channel, data } of told) {
    const { tenant_id, ...payload } = data
    expect(tenant_id).toBe(tenant.id)
    const { schema } = channel === budgetWarned.channel ? budgetWarned : budgetExceeded
    expect([...Value.Errors(schema, payload)]).toEqual([])
  }
})

test('calls raise the alarm, and so does the first refusal with money left', async () => {
  const scope = [{ kind: 'model', value: 'test-model' }]
  const budget = await makeBudget(tenant.admin, { amount: '60', scope, alert_at: [25] })
  expectStatus(await ask(tenant.admin, 'hello', { max_tokens: 7 }), 200)
  const warned = await eventually(
    () => toldOf(budget.id),
    (found) => found.length >= 1,
  )
  expect(warned[0]).toMatchObject({ channel: 'gateway.budget.warned', data: { level: 25, spent: '18' } })
  for (const _ of [1, 2, 3]) expectStatus(await ask(tenant.admin, 'hello', { max_tokens: 900 }), 429)
  const told = await eventually(
    () => toldOf(budget.id),
    (found) => found.length >= 2,
  )
  expect(told[1]).toMatchObject({ channel: 'gateway.budget.exceeded', data: { level: 100, spent: '18', amount: '60' } })
  expect(told).toHaveLength(2)
})
