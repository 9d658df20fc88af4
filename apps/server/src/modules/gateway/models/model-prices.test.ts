import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { modelNamed, priceModel } from '../testing/money.ts'
import { addProvider } from '../testing/support.ts'
import { openUpstream, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('prices')
  upstream = await openUpstream()
  await addProvider(tenant.admin, 'local', upstream, { models: ['test-model'] })
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

test('a price is set, planned and taken back', async () => {
  const set = await priceModel(tenant.admin, 'test-model', { currency: 'EUR', prices: { input: '1', output: '2' } })
  expect(set).toMatchObject({
    key: 'local/test-model',
    prices: { currency: 'EUR', prices: { input: '1', output: '2' } },
    price_id: expect.stringMatching(/^tenant:/),
    price_source: 'tenant',
    upcoming_prices: [],
  })
  const future = { currency: 'EUR', prices: { input: '3' }, valid_from: '2999-01-01T00:00:00Z' }
  const planned = await priceModel(tenant.admin, 'test-model', future)
  expect(planned.prices.prices.input).toBe('1')
  expect(planned.upcoming_prices).toMatchObject([
    { valid_from: '2999-01-01T00:00:00.000Z', prices: { prices: { input: '3' } } },
  ])
  expect((await priceModel(tenant.admin, 'test-model', null)).prices).toBe(null)
})

test('a price neither begins in the past nor is a number', async () => {
  const { id } = await modelNamed(tenant.admin, 'test-model')
  const set = (price: object) => tenant.admin.patch(`/gateway/models/${id}`, { price })
  const past = await set({ currency: 'USD', prices: { input: '1' }, valid_from: '2020-01-01T00:00:00Z' })
  expect([past.status, past.body.errors[0].pointer]).toEqual([400, '/price/valid_from'])
  expect((await set({ currency: 'USD', prices: { input: 1 } })).status).toBe(400)
  expect((await set({ currency: 'USD', prices: { input: '1', thought: '1' } })).status).toBe(400)
})

test('is set by administrators, for models of the tenant', async () => {
  const { id } = await modelNamed(tenant.admin, 'test-model')
  const price = { currency: 'USD', prices: { input: '1' } }
  const engineer = await tenant.as('ai_engineer')
  expect((await engineer.patch(`/gateway/models/${id}`, { price })).status).toBe(403)
  const other = await world.tenant('prices-other')
  expect((await other.admin.patch(`/gateway/models/${id}`, { price })).status).toBe(404)
})
