/** Cost of the question's vector, and the tenant's limits on requesting it. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'
import { cacheOf, useCacheWorld } from '../testing/cache.ts'
import { budgetNow, dollarATokenPrice, makeBudget, priceModel } from '../testing/money.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'

let upstream: Upstream
let tenant: TestTenant
let vectors: Upstream
let provider: { readonly id: string }

useCacheWorld('vector-money', (made) => {
  ;({ upstream, tenant } = made)
})

beforeAll(async () => {
  vectors = await openUpstream()
})
afterAll(() => vectors?.close())

const read = 40

/** The provider's speed is not under test. */
const timeouts = { connect_ms: 30_000, first_byte_ms: 60_000, idle_ms: 60_000, total_ms: 120_000 }

/** Reply of an embedding model that read 40 tokens. */
const vector = (values: readonly number[]) => (response: ServerResponse) => {
  const data = [{ object: 'embedding', index: 0, embedding: values }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ object: 'list', model: 'v', data, usage: { prompt_tokens: read, total_tokens: read } }))
}

beforeEach(async () => {
  await onlyPolicy(tenant, { cache: { mode: 'semantic', semantic_threshold: 0.9 } })
  upstream.reply(say('Use the link on the page.'))
  vectors.received.length = 0
  vectors.reply(vector([3, 4]))
  provider = await addProvider(tenant.admin, 'vectors', vectors, { models: ['embed-1', 'test-slow'], timeouts })
  await priceModel(tenant.admin, 'embed-1', dollarATokenPrice)
  const semantic = { enabled: true, threshold: 0.9, embedding_model: 'vectors/embed-1' }
  expectStatus(await tenant.admin.patch('/gateway/cache', { semantic }), 200)
})

const question = (number: number) => `How do I order part number ${number} of the catalogue?`
const ofVectors = [{ kind: 'provider', value: 'vectors' }]

describe('a budget', () => {
  test('is not overspent by any number of questions for vectors at once', async () => {
    const budget = await makeBudget(tenant.admin, { scope: ofVectors, amount: '250' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => cacheOf(tenant.admin, question(number))),
    )
    expect(new Set(answers)).toEqual(new Set(['miss']))
    const { spent, reserved } = await budgetNow(tenant.admin, budget.id)
    expect(vectors.received.length).toBeGreaterThan(0)
    expect(Number(spent)).toBeGreaterThan(0)
    expect(Number(spent)).toBeLessThanOrEqual(250)
    expect(vectors.received.length * read).toBeLessThanOrEqual(250)
    expect(reserved).toBe('0')
  })

  test('that has no room for the vector lets the call go on without it', async () => {
    const budget = await makeBudget(tenant.admin, { scope: ofVectors, amount: '10' })
    expect(await cacheOf(tenant.admin, question(1))).toBe('miss')
    expect(vectors.received).toHaveLength(0)
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '0', reserved: '0' })
  })

  test('of the whole tenant that has room for the answer alone pays for the answer alone', async () => {
    await addProvider(tenant.admin, 'priced', upstream, { models: ['test-priced'] })
    await priceModel(tenant.admin, 'test-priced', dollarATokenPrice)
    const over = { model: 'priced/test-priced', max_tokens: 10, cache: undefined }
    const budget = await makeBudget(tenant.admin, { amount: '60' })
    expectStatus(await ask(tenant.admin, question(1), over), 200)
    expect(vectors.received).toHaveLength(0)
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '18', reserved: '0' })
    expectStatus(await tenant.admin.patch(`/gateway/budgets/${budget.id}`, { amount: '100000' }), 200)
    expectStatus(await ask(tenant.admin, question(2), over), 200)
    expect(vectors.received).toHaveLength(1)
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: String(18 + 18 + read), reserved: '0' })
  })

  test('that asks for a price is not charged for a model without one, because that is not asked', async () => {
    await priceModel(tenant.admin, 'embed-1', null)
    const budget = await makeBudget(tenant.admin, { scope: ofVectors })
    expect(await cacheOf(tenant.admin, question(1))).toBe('miss')
    expect(vectors.received).toHaveLength(0)
    expectStatus(await tenant.admin.patch(`/gateway/budgets/${budget.id}`, { on_unpriced: 'flag' }), 200)
    expect(await cacheOf(tenant.admin, question(2))).toBe('miss')
    expect(vectors.received).toHaveLength(1)
  })

  test('pays for what was read also where no vector came of it', async () => {
    const budget = await makeBudget(tenant.admin, { scope: ofVectors, amount: '1000' })
    vectors.reply(vector([0, 0]))
    expect(await cacheOf(tenant.admin, question(1))).toBe('miss')
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: String(read), reserved: '0' })
  })
})

describe('what the tenant allows itself at a provider', () => {
  const limited = async (limits: object) =>
    expectStatus(await tenant.admin.patch(`/gateway/providers/${provider.id}`, { limits }), 200)

  test.each([
    ['calls', { rpm: 1 }],
    ['tokens', { tpm: 15 }],
  ])('of %s a minute holds for questions for vectors', async (_what, limits) => {
    await limited(limits)
    for (const number of [1, 2, 3]) expect(await cacheOf(tenant.admin, question(number))).toBe('miss')
    expect(vectors.received).toHaveLength(1)
  })

  test('of calls at once holds for questions for vectors', async () => {
    await limited({ max_concurrency: 1 })
    let answer = (): void => {}
    vectors.reply(
      (response, received) => {
        answer = () => void say('Slow.')(response, received)
      },
      vector([3, 4]),
    )
    const arrived = vectors.next()
    const running = ask(tenant.admin, 'hello', { model: 'vectors/test-slow' })
    await arrived
    expect(await cacheOf(tenant.admin, question(1))).toBe('miss')
    expect(vectors.received).toHaveLength(1)
    answer()
    expectStatus(await running, 200)
    for (const number of [2, 3]) expect(await cacheOf(tenant.admin, question(number))).toBe('miss')
    expect(vectors.received).toHaveLength(3)
  })
})
