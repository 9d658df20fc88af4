/** Cost of a call whose provider reports a different model than the one requested. */
import { beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { budgetNow, dollarATokenPrice, makeBudget, priceModel } from '../testing/money.ts'
import { withProvider } from '../testing/one-provider.ts'
import { answer, chunks, delta, usage } from '../testing/openai-replies.ts'
import { addProvider, ask } from '../testing/support.ts'

const here = withProvider('answered-model')
const twoDollars = { currency: 'USD', prices: { input: '2000000', output: '2000000' } }
let budget: { readonly id: string }

beforeAll(async () => {
  const { admin } = here.tenant
  await addProvider(admin, 'two', here.upstream, { models: ['cheap-model', 'dear-model'] })
  await priceModel(admin, 'cheap-model', dollarATokenPrice)
  await priceModel(admin, 'dear-model', twoDollars)
  budget = await makeBudget(admin, { amount: '1000000' })
})

/** Cost according to the log and the budget, and the models named in the log. */
async function costing(asked: string, answered: string, stream: boolean) {
  const { admin } = here.tenant
  const model = { model: answered }
  here.upstream.reply(
    stream
      ? chunks([delta({ content: 'Hello.' }, null, model), delta({}, 'stop', { ...model, usage })])
      : answer({ content: 'Hello.' }, 'stop', {}, { ...model, usage }),
  )
  const before = Number((await budgetNow(admin, budget.id)).spent)
  expectStatus(await ask(admin, 'hello', { model: asked, max_tokens: 20, stream }), 200)
  const [row] = expectStatus(await admin.get('/gateway/requests', { query: { limit: '1' } }), 200).body.data
  const { spent, reserved } = await budgetNow(admin, budget.id)
  expect(reserved).toBe('0')
  return { log: Number(row.cost.amount), budget: Number(spent) - before, models: [row.model, row.answered_model] }
}

// 11 tokens read and 7 written.
test.each([
  ['cheap-model', 'dear-model', 36],
  ['cheap-model', 'dear-model-2026-01-15', 36],
  ['dear-model', 'cheap-model', 36],
  ['cheap-model', 'a-model-nobody-knows', 18],
])('asked of %s and answered by %s it is %i', async (asked, answered, cost) => {
  for (const stream of [false, true]) {
    const found = await costing(asked, answered, stream)
    expect(found).toEqual({ log: cost, budget: cost, models: [asked, answered] })
  }
})

test('a call that nobody answered names no model that did', async () => {
  const { admin } = here.tenant
  here.upstream.reply((response) => void response.writeHead(400).end())
  const { log_id } = (await ask(admin, 'hello', { model: 'cheap-model' })).body
  expect((await admin.get(`/gateway/requests/${log_id}`)).body.data).toMatchObject({
    model: 'cheap-model',
    answered_model: null,
  })
})
