import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { budgetedSpend } from '../budgets/budgeted.ts'
import { budgetNow, dollarATokenPrice, eventually, makeBudget, priceModel } from '../testing/money.ts'
import { answer, chunks, delta, usage } from '../testing/openai-replies.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, openUpstream, say, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('charging')
  // The maximum cost of a call follows from the maximum length of its answer.
  await onlyPolicy(tenant, { cache: { mode: 'exact' }, models: { max_output_tokens: 4096 } })
  upstream = await openUpstream()
  await addProvider(tenant.admin, 'local', upstream, { models: ['test-model', 'other-model'] })
  await priceModel(tenant.admin, 'test-model', dollarATokenPrice)
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const logged = async (id: string) => (await tenant.admin.get(`/gateway/requests/${id}`)).body.data

/** A budget for the calls of one test only. */
const budgetOfTag = (tag: string, over: object = {}) =>
  makeBudget(tenant.admin, { scope: [{ kind: 'model', value: 'local/test-model' }], name: `b-${tag}`, ...over })

const archive = async (id: string) =>
  expectStatus(await tenant.admin.patch(`/gateway/budgets/${id}`, { status: 'archived' }), 200)

describe('the cost of a call', () => {
  test('is what its tokens cost, with the version of the price on the log row', async () => {
    const { data } = expectStatus(await ask(tenant.admin, 'hello'), 200).body
    expect(data.cost).toEqual({ amount: '18', currency: 'USD', status: 'priced' })
    const row = await logged(data.id)
    expect(row.cost).toMatchObject({ amount: '18', price_id: expect.stringMatching(/^tenant:/) })
  })

  test('is not known and not zero for a model nobody priced', async () => {
    const { data } = expectStatus(await ask(tenant.admin, 'hello', { model: 'other-model' }), 200).body
    expect(data.cost).toEqual({ amount: null, currency: null, status: 'unpriced' })
  })

  test('is nothing for the demo provider and for a call that failed before it was answered', async () => {
    const { data } = expectStatus(await ask(tenant.admin, 'hello', { model: 'echo-1' }), 200).body
    expect(data.cost).toEqual({ amount: null, currency: null, status: 'free' })
    upstream.reply(fail(400))
    const failed = await ask(tenant.admin, 'hello')
    upstream.reply(say('Hello.'))
    expect((await logged(failed.body.log_id)).cost).toMatchObject({ amount: null, status: 'free' })
  })

  test('of an answer from the cache is nothing, and what it saved is known', async () => {
    const cached = { cache: { mode: 'exact' }, temperature: 0 }
    expectStatus(await ask(tenant.admin, 'cache me', cached), 200)
    const { data } = expectStatus(await ask(tenant.admin, 'cache me', cached), 200).body
    expect(data).toMatchObject({ cache: 'hit', cost: { amount: null, status: 'free' } })
    expect(Number((await logged(data.id)).cost.saved)).toBeGreaterThan(0)
  })

  test.each([
    ['auto', 'priority', '54'],
    ['flex', 'default', '18'],
    ['priority', undefined, '54'],
    [undefined, 'priority', '54'],
  ])('asked for as %s and served as %s is %s', async (asked, served, amount) => {
    const service_tiers = {
      flex: { prices: { input: '1', output: '1' } },
      priority: { prices: { input: '3000000', output: '3000000' } },
    }
    await priceModel(tenant.admin, 'test-model', { ...dollarATokenPrice, service_tiers })
    const body = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }], service_tier: asked }
    const cost = async (over: object) => {
      const path = '/gateway/openai/v1/chat/completions'
      const headers = { 'x-gateway-cache': 'off' }
      expectStatus(await tenant.admin.post(path, { ...body, ...over }, { headers }), 200)
      return (await tenant.admin.get('/gateway/requests', { query: { limit: '1' } })).body.data[0].cost.amount
    }
    upstream.reply(answer({ content: 'Hello.' }, 'stop', {}, { service_tier: served }))
    expect(await cost({})).toBe(amount)
    upstream.reply(chunks([delta({ content: 'Hello.' }), delta({}, 'stop', { usage, service_tier: served })]))
    expect(await cost({ stream: true })).toBe(amount)
    upstream.reply(say('Hello.'))
    await priceModel(tenant.admin, 'test-model', dollarATokenPrice)
  })

  test('does not change when the price does', async () => {
    const { data } = expectStatus(await ask(tenant.admin, 'before'), 200).body
    const before = (await logged(data.id)).cost
    await priceModel(tenant.admin, 'test-model', { currency: 'USD', prices: { input: '2000000', output: '2000000' } })
    const after = expectStatus(await ask(tenant.admin, 'after'), 200).body.data
    await priceModel(tenant.admin, 'test-model', dollarATokenPrice)
    expect(after.cost.amount).toBe('36')
    expect((await logged(data.id)).cost).toEqual(before)
  })
})

test('a paused budget asks for nothing and refuses nothing, and does both again when it is not', async () => {
  const budget = await budgetOfTag('paused', { amount: '1', on_unpriced: 'block' })
  expect((await ask(tenant.admin, 'too dear')).body.error_code).toBe('GW-009')
  const status = (to: string) => tenant.admin.patch(`/gateway/budgets/${budget.id}`, { status: to })
  expectStatus(await status('paused'), 200)
  expectStatus(await ask(tenant.admin, 'for nothing'), 200)
  expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ status: 'paused', spent: '0', reserved: '0' })
  expectStatus(await status('active'), 200)
  expect((await ask(tenant.admin, 'too dear again')).body.error_code).toBe('GW-009')
  await archive(budget.id)
})

describe('the signal of budgets for the trust score', () => {
  test('is the share of spending that was under a hard one', async () => {
    const fresh = await world.tenant('budgeted')
    await addProvider(fresh.admin, 'local', upstream, { models: ['test-model'] })
    await priceModel(fresh.admin, 'test-model', dollarATokenPrice)
    const read = () =>
      world.kernel.db.tenant({ tenantId: fresh.id }, (tx) => budgetedSpend(tx, world.kernel.clock.iso()))
    expect(await read()).toEqual({ good: 0, n: 0 })
    for (const kind of ['soft', 'soft', 'hard']) {
      const budget = await makeBudget(fresh.admin, { amount: '1000000', kind })
      expectStatus(await ask(fresh.admin, 'hello'), 200)
      expectStatus(await fresh.admin.patch(`/gateway/budgets/${budget.id}`, { status: 'archived' }), 200)
    }
    expect(await eventually(read, ({ n }) => n === 3)).toEqual({ good: 1, n: 3 })
    await makeBudget(fresh.admin, { amount: '1000000' })
    for (const _ of [1, 2, 3]) expectStatus(await ask(fresh.admin, 'hello'), 200)
    expect(await eventually(read, ({ n }) => n === 6)).toEqual({ good: 4, n: 6 })
  })
})

describe('a budget', () => {
  test('is charged with what a call really cost, and holds nothing afterwards', async () => {
    const budget = await budgetOfTag('real', { amount: '100000' })
    expectStatus(await ask(tenant.admin, 'hello', { max_tokens: 50 }), 200)
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '18', reserved: '0', remaining: '99982' })
    await archive(budget.id)
  })

  test('refuses a call whose worst case is more than what is left, with the numbers of the list', async () => {
    const budget = await budgetOfTag('small', { amount: '40' })
    const asked = upstream.received.length
    const refused = await ask(tenant.admin, 'hello', { max_tokens: 1000 })
    expect(refused.status).toBe(429)
    expect(refused.body.error_code).toBe('GW-009')
    expect(refused.headers['x-should-retry']).toBe('false')
    const shown = await budgetNow(tenant.admin, budget.id)
    expect(refused.body.budget).toMatchObject({
      id: budget.id,
      remaining: shown.remaining,
      spent: shown.spent,
      resets_at: shown.resets_at,
    })
    expect(refused.body.detail).toContain(shown.remaining)
    const seconds = (Date.parse(shown.resets_at) - Date.now()) / 1000
    expect(Math.abs(Number(refused.headers['retry-after']) - seconds)).toBeLessThan(30)
    expect(upstream.received).toHaveLength(asked)
    expect(await logged(refused.body.log_id)).toMatchObject({
      status: 'blocked',
      error_code: 'GW-009',
      blocked_step: 'rate_and_budget',
    })
    expect(shown).toMatchObject({ spent: '0', reserved: '0' })
    await archive(budget.id)
  })

  test('cannot be overrun by text that begins like data', async () => {
    const budget = await budgetOfTag('data', { amount: '500' })
    const asked = upstream.received.length
    const refused = await ask(tenant.admin, `data: ${'word '.repeat(2000)}`, { max_tokens: 10 })
    expect([refused.status, refused.body.error_code]).toEqual([429, 'GW-009'])
    expect(upstream.received).toHaveLength(asked)
    await archive(budget.id)
  })

  test('that is soft lets the call through and says so', async () => {
    const budget = await budgetOfTag('soft', { amount: '1', kind: 'soft' })
    const { data } = expectStatus(await ask(tenant.admin, 'hello'), 200).body
    expect(data.security.policy_violations).toMatchObject([{ rule_id: 'b-soft', category: 'budget', action: 'flag' }])
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '18', remaining: '-17' })
    await archive(budget.id)
  })

  test('holds also where no policy looks at content', async () => {
    const budget = await budgetOfTag('off', { amount: '5' })
    const policy = { name: 'nothing', document: { mode: 'monitor' } }
    const { id } = expectStatus(await tenant.admin.post('/gateway/policies', policy), 201).body.data
    expectStatus(await tenant.admin.post(`/gateway/policies/${id}/publish`, { version: 1 }), 200)
    expect((await ask(tenant.admin, 'hello', { policy_id: id })).status).toBe(429)
    await archive(budget.id)
  })

  test('is charged for a stream, and with an estimate when it breaks', async () => {
    const budget = await budgetOfTag('stream', { amount: '1000000' })
    upstream.reply(streamed(['Hello ', 'you.']))
    expectStatus(await ask(tenant.admin, 'hello', { stream: true }), 200)
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '18', reserved: '0' })
    upstream.reply(streamed(['Hello ', 'you.'], { broken: true }))
    expectStatus(await ask(tenant.admin, 'hello', { stream: true }), 200)
    upstream.reply(say('Hello.'))
    const broken = await budgetNow(tenant.admin, budget.id)
    expect(Number(broken.spent)).toBeGreaterThan(18)
    expect(broken.reserved).toBe('0')
    await archive(budget.id)
  })

  test('that asks for a price refuses a model without one, and one that does not lets it pass', async () => {
    const scope = [{ kind: 'model', value: 'other-model' }]
    const hard = await makeBudget(tenant.admin, { scope })
    const refused = await ask(tenant.admin, 'hello', { model: 'other-model' })
    expect([refused.status, refused.body.error_code]).toEqual([429, 'GW-009'])
    expect(refused.body.detail).toContain('no price')
    await archive(hard.id)
    const lax = await makeBudget(tenant.admin, { scope, on_unpriced: 'flag' })
    expect((await ask(tenant.admin, 'hello', { model: 'other-model' })).status).toBe(200)
    expect(await budgetNow(tenant.admin, lax.id)).toMatchObject({ spent: '0', reserved: '0' })
    await archive(lax.id)
  })

  test('in another currency than the price counts the model as unpriced', async () => {
    const budget = await budgetOfTag('euro', { currency: 'EUR', amount: '100000' })
    expect((await ask(tenant.admin, 'hello')).body.detail).toContain('no price in EUR')
    await archive(budget.id)
  })

  test('can be asked for by a policy', async () => {
    const policy = { name: 'needs-budget', document: { budget: { require: true } } }
    const { id } = expectStatus(await tenant.admin.post('/gateway/policies', policy), 201).body.data
    expectStatus(await tenant.admin.post(`/gateway/policies/${id}/publish`, { version: 1 }), 200)
    const refused = await ask(tenant.admin, 'hello', { policy_id: id })
    expect([refused.status, refused.body.error_code]).toEqual([429, 'GW-009'])
    const budget = await budgetOfTag('asked-for', { amount: '100000' })
    expect((await ask(tenant.admin, 'hello', { policy_id: id })).status).toBe(200)
    await archive(budget.id)
  })

  test('must have room in all of them, and a refusal leaves nothing held in any', async () => {
    const wide = await budgetOfTag('wide', { amount: '100000' })
    const narrow = await budgetOfTag('narrow', { amount: '1' })
    expect((await ask(tenant.admin, 'hello')).body.budget.id).toBe(narrow.id)
    expect(await budgetNow(tenant.admin, wide.id)).toMatchObject({ spent: '0', reserved: '0' })
    await archive(wide.id)
    await archive(narrow.id)
  })
})
