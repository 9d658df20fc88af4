import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { inPlace } from '../../../kernel/threads/thread-task.ts'
import { emptyCall } from '../call/call.ts'
import { makeBudget, priceModel } from '../testing/money.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'
import { countInput } from './bounds.ts'
import { countTokens } from './count-task.ts'
import { countableTexts } from './countable.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
let made = 0

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
  // A first thread that reads its first ranks on a busy machine takes longer than a call waits.
  await world.kernel.threads.run(countTokens, { encoding: 'o200k_base', texts: [] })
})

/** A tenant for each test, whose budgets and limits affect no other test. */
beforeEach(async () => {
  made += 1
  tenant = await world.tenant(`counts-${made}`)
  await addProvider(tenant.admin, 'vendor', upstream, { kind: 'openai', models: ['gpt-4o', 'gpt-4o-mini'] })
  await addProvider(tenant.admin, 'other', upstream, { models: ['test-model'] })
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

/** Words of which each is one token, though the estimate takes them for three or four and the bound for seven. */
const words = ['international', 'environmental', 'responsibility', 'requirements', 'considering']
const text = Array.from({ length: 120 }, (_, n) => words[(n * 7 + (n >> 2)) % words.length]).join(' ')
const tokens = countTokens.run({ encoding: 'o200k_base', texts: [text] }, inPlace)

const counts = async (): Promise<number> => {
  const metrics = await world.kernel.metrics.render()
  return Number(/threads_run_seconds_count\{[^}]*task="gateway\.tokens\.count"[^}]*\} (\d+)/.exec(metrics)?.[1] ?? 0)
}

async function policy(document: object): Promise<{ policy_id: string }> {
  made += 1
  const { id } = expectStatus(await tenant.admin.post('/gateway/policies', { name: `tight-${made}`, document }), 201)
    .body.data
  expectStatus(await tenant.admin.post(`/gateway/policies/${id}/publish`, { version: 1 }), 200)
  return { policy_id: id }
}

const codeOf = async (over: object) => (await ask(tenant.admin, text, over)).body.error_code ?? null
const known = { model: 'gpt-4o' }
const unknown = { model: 'test-model' }

test('the text of these tests is far shorter in tokens than the estimate and the bound say', () => {
  const call = {
    ...emptyCall,
    turns: [
      { role: 'user' as const, parts: [{ type: 'text' as const, text }], toolCalls: [], toolCallId: null, name: null },
    ],
  }
  const { about, atMost } = countInput(call)
  expect(tokens).toBeLessThan(about / 2)
  expect(about).toBeLessThan(atMost)
  expect(countableTexts(call)).toEqual([text])
})

describe('where an estimate would refuse a call, its tokens are counted', () => {
  test('against what a policy lets a model read', async () => {
    const tight = await policy({ models: { max_input_tokens: tokens + 20 } })
    expect(await codeOf({ ...known, ...tight })).toBeNull()
    expect(await codeOf({ ...unknown, ...tight })).toBe('GW-007')
  })

  test('against a limit of input tokens, which then counts what was counted', async () => {
    const limits = [{ id: 'in', per: 'tenant', unit: 'input_tokens', max: 2 * tokens + 40, window_seconds: 3600 }]
    const tight = await policy({ limits })
    expect(await codeOf({ ...unknown, ...tight })).toBe('GW-008')
    expect([await codeOf({ ...known, ...tight }), await codeOf({ ...known, ...tight })]).toEqual([null, null])
    expect(await codeOf({ ...known, ...tight })).toBe('GW-008')
  })

  test('against the context of a model', async () => {
    const list = expectStatus(await tenant.admin.get('/gateway/models'), 200).body.data
    for (const name of ['gpt-4o', 'test-model']) {
      const model = list.find((one: { name: string }) => one.name === name)
      expectStatus(await tenant.admin.patch(`/gateway/models/${model.id}`, { context_tokens: tokens + 20 }), 200)
    }
    expect(await codeOf(known)).toBeNull()
    expect(await codeOf(unknown)).toBe('GW-021')
  })

  test('against a budget, which then holds what was counted', async () => {
    const prices = { currency: 'USD', prices: { input: '1000000', output: '0' } }
    for (const name of ['gpt-4o', 'test-model']) await priceModel(tenant.admin, name, prices)
    const budget = await makeBudget(tenant.admin, { amount: String(tokens + 20), name: 'small' })
    expect(await codeOf(unknown)).toBe('GW-009')
    expect(await codeOf(known)).toBeNull()
    await tenant.admin.patch(`/gateway/budgets/${budget.id}`, { amount: String(tokens) })
    const refused = await ask(tenant.admin, text, known)
    expect(refused.body.error_code).toBe('GW-009')
    expect(Number(refused.body.budget.required)).toBeLessThan(tokens + 20)
  })

  test('against a quota of tokens a day', async () => {
    await world.setQuotas(tenant, { llm_tokens_per_day: tokens + 40 })
    await expect.poll(() => codeOf(unknown)).toBe('GW-008')
    expect(await codeOf(known)).toBeNull()
  })
})

test('a call that the estimates let pass is not counted', async () => {
  const roomy = await policy({
    models: { max_input_tokens: 1000 },
    limits: [{ id: 'in', per: 'tenant', unit: 'input_tokens', max: 100_000, window_seconds: 3600 }],
  })
  await priceModel(tenant.admin, 'gpt-4o', { currency: 'USD', prices: { input: '1', output: '1' } })
  await makeBudget(tenant.admin, { amount: '100000' })
  const before = await counts()
  expect(await codeOf({ ...known, ...roomy })).toBeNull()
  expect(await counts()).toBe(before)
  const tight = await policy({ models: { max_input_tokens: tokens } })
  expect(await codeOf({ ...known, ...tight })).toBe('GW-007')
  await expect.poll(counts).toBe(before + 1)
})

test('the catalogue names what a model is counted with', async () => {
  const list = expectStatus(await tenant.admin.get('/gateway/models'), 200).body.data
  const tokenizers = new Map(list.map((one: { key: string; tokenizer: string | null }) => [one.key, one.tokenizer]))
  expect([tokenizers.get('vendor/gpt-4o'), tokenizers.get('other/test-model')]).toEqual(['o200k_base', null])
})
