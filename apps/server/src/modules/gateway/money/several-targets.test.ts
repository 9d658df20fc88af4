/** Charges and budgets of a call that asked more than one target. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { html, makeRoute } from '../testing/misbehave.ts'
import { budgetNow, dollarATokenPrice, makeBudget, priceModel } from '../testing/money.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, hang, openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let first: Upstream
let second: Upstream
let route: { readonly name: string }

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('several-targets')
  first = await openUpstream()
  second = await openUpstream()
  const timeouts = { connect_ms: 5000, first_byte_ms: 1500, idle_ms: 1500, total_ms: 5000 }
  await addProvider(tenant.admin, 'first', first, { models: ['test-first'], timeouts })
  await addProvider(tenant.admin, 'second', second, { models: ['test-second'] })
  await priceModel(tenant.admin, 'test-first', dollarATokenPrice)
  await priceModel(tenant.admin, 'test-second', dollarATokenPrice)
  const targets = [
    { provider: 'first', model: 'test-first' },
    { provider: 'second', model: 'test-second' },
  ]
  route = await makeRoute(tenant.admin, targets, { retry: { base_ms: 0 } })
})

afterAll(async () => {
  await first?.close()
  await second?.close()
  await world?.close()
})

const call = () => ask(tenant.admin, 'hello', { model: route.name, max_tokens: 50 })
const costOf = async (id: string) => expectStatus(await tenant.admin.get(`/gateway/requests/${id}`), 200).body.data.cost

/** Amount that one call spends in a budget for everything and in one for each provider. */
async function spentBy(work: () => Promise<string>) {
  const scopes = [[{ kind: 'tenant' }], ...['first', 'second'].map((value) => [{ kind: 'provider', value }])]
  const budgets: { readonly id: string }[] = []
  for (const scope of scopes) budgets.push(await makeBudget(tenant.admin, { scope, amount: '100000' }))
  const cost = await costOf(await work())
  const spent: number[] = []
  for (const { id } of budgets) {
    const shown = await budgetNow(tenant.admin, id)
    expect(shown.reserved).toBe('0')
    spent.push(Number(shown.spent))
    expectStatus(await tenant.admin.patch(`/gateway/budgets/${id}`, { status: 'archived' }), 200)
  }
  return { cost, spent }
}

describe('a target that read the question and was not waited for', () => {
  test('is paid beside the one that answered, each out of its own budget', async () => {
    first.reply(hang)
    second.reply(say('Here.'))
    const { cost, spent } = await spentBy(async () => expectStatus(await call(), 200).body.data.id)
    const [all = 0, ofFirst, ofSecond] = spent
    expect(cost.status).toBe('estimated')
    expect(Number(cost.amount)).toBe(all)
    // 11 tokens read and 7 written at a dollar each, plus the estimated input of the other target.
    expect(ofSecond).toBe(18)
    expect(ofFirst).toBe(all - 18)
    expect(all).toBeGreaterThan(18)
  })

  test('is paid where what it answered cannot be read', async () => {
    first.reply(html)
    second.reply(say('Here.'))
    const { cost, spent } = await spentBy(async () => expectStatus(await call(), 200).body.data.id)
    const [all = 0, ofFirst = 0, ofSecond] = spent
    expect([cost.status, Number(cost.amount)]).toEqual(['estimated', all])
    expect(ofSecond).toBe(18)
    expect(ofFirst).toBeGreaterThan(0)
  })

  test('is paid where nobody answers in the end', async () => {
    first.reply(hang)
    second.reply(fail(400))
    const { cost, spent } = await spentBy(async () => (await call()).body.log_id)
    const [all = 0, ofFirst, ofSecond] = spent
    expect([cost.status, Number(cost.amount)]).toEqual(['estimated', all])
    expect(ofSecond).toBe(0)
    expect(ofFirst).toBe(all)
    expect(all).toBeGreaterThan(0)
  })

  test('is paid where a kill switch was what ended its question', async () => {
    first.reply(fail(400))
    second.reply(hang)
    const { cost, spent } = await spentBy(async () => {
      const arrived = second.next()
      const running = ask(tenant.admin, 'hello', { model: 'second/test-second', max_tokens: 50 })
      await arrived
      const body = { scope: 'provider', value: 'second', reason: 'the provider was breached' }
      const { id } = expectStatus(await tenant.admin.post('/gateway/kill-switches', body), 201).body.data
      const { log_id } = (await running).body
      const ended = { reason: 'the breach is closed' }
      expectStatus(await tenant.admin.post(`/gateway/kill-switches/${id}/deactivate`, ended), 200)
      return log_id
    })
    const [all = 0, ofFirst, ofSecond] = spent
    expect([cost.status, Number(cost.amount)]).toEqual(['estimated', all])
    expect([ofFirst, ofSecond]).toEqual([0, all])
    expect(all).toBeGreaterThan(0)
  })

  test('is paid once where its own time was the last of the call', async () => {
    first.reply(hang)
    const { cost, spent } = await spentBy(async () => {
      const answer = await ask(tenant.admin, 'hello', { model: 'first/test-first', max_tokens: 50 })
      expect(answer.body.error_code).toBe('GW-012')
      return answer.body.log_id
    })
    const [all = 0, ofFirst, ofSecond] = spent
    expect([cost.status, Number(cost.amount)]).toEqual(['estimated', all])
    expect([ofFirst, ofSecond]).toEqual([all, 0])
    expect(all).toBeLessThan(20)
  })
})

test('what may be paid for waiting in vain is set aside too, so that no budget is overspent by it', async () => {
  first.reply(hang)
  second.reply((response) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'All of it.' }, finish_reason: 'length' }]
    response.writeHead(200, { 'content-type': 'application/json' })
    const usage = { prompt_tokens: 11, completion_tokens: 50 }
    response.end(JSON.stringify({ id: 'x', model: 'served-model', choices, usage }))
  })
  // Enough for an answer of 50 tokens and one question.
  const budget = await makeBudget(tenant.admin, { amount: '66' })
  const answer = await call()
  const { spent } = await budgetNow(tenant.admin, budget.id)
  expectStatus(await tenant.admin.patch(`/gateway/budgets/${budget.id}`, { status: 'archived' }), 200)
  expect(Number(spent)).toBeLessThanOrEqual(66)
  expect(answer.body.error_code).toBe('GW-009')
})

test('a target that failed before it could read, or refused, is not paid', async () => {
  first.reply(fail(500))
  second.reply(say('Here.'))
  const { cost, spent } = await spentBy(async () => expectStatus(await call(), 200).body.data.id)
  expect(cost).toMatchObject({ status: 'priced', amount: '18' })
  expect(spent).toEqual([18, 0, 18])
})
