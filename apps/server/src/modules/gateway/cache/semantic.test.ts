/** The semantic cache through the running program, with vectors of the built-in `echo-embed-1`. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { hashedVector } from '../providers/adapters/echo/embed.ts'
import { cacheOf, untilKept, useCacheWorld, withKey } from '../testing/cache.ts'
import { dollarATokenPrice, priceModel } from '../testing/money.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, hang, openUpstream, say, sayBack, type Upstream } from '../testing/upstream.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant

const question = 'How do I reset the password of my account on the website of the shop?'
const like = 'How can I reset the password of my account on the website of the shop?'
const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

const cache = { mode: 'semantic', semantic_threshold: 0.9 }

useCacheWorld('semantic', (made) => {
  ;({ world, upstream, tenant } = made)
})

beforeEach(async () => {
  await onlyPolicy(tenant, { cache })
  upstream.reply(say('Use the link on the page.'))
  await enable()
})

async function enable(embedding_model = 'echo-embed-1'): Promise<void> {
  const semantic = { enabled: true, threshold: 0.9, embedding_model }
  expectStatus(await tenant.admin.patch('/gateway/cache', { semantic }), 200)
}

/** Cache status of a question after another one was answered and kept. */
async function after(first: string, second: string, over: object = {}): Promise<string> {
  await cacheOf(tenant.admin, first)
  await untilKept(world, tenant, 1)
  return cacheOf(tenant.admin, second, over)
}

describe('a question like an earlier one', () => {
  test('has its answer, for nothing', async () => {
    await cacheOf(tenant.admin, question)
    await untilKept(world, tenant, 1)
    const { body, headers } = await ask(tenant.admin, like, { cache: undefined })
    expect(body.data).toMatchObject({ cache: 'semantic', cost: { amount: null, status: 'free' } })
    expect(body.data.choices[0].message.content).toBe('Use the link on the page.')
    expect(headers['x-gateway-offline']).toBeUndefined()
    expect(upstream.received).toHaveLength(1)
    const logged = (await tenant.admin.get(`/gateway/requests/${body.data.id}`)).body.data
    expect(logged).toMatchObject({
      cache: 'semantic',
      attempts: [{ provider: 'echo', model: 'echo-embed-1', ok: true }],
    })
  })

  test('is found through the raw door too, and said so in its header', async () => {
    await cacheOf(tenant.admin, question)
    await untilKept(world, tenant, 1)
    const messages = [{ role: 'user', content: like }]
    const answer = await tenant.admin.post('/gateway/openai/v1/chat/completions', { model: 'test-model', messages })
    // Calls in another dialect are kept separately: they are served by their own answers.
    expect(answer.headers['x-gateway-cache']).toBe('miss')
    await untilKept(world, tenant, 2)
    const said = { model: 'test-model', messages: [{ role: 'user', content: question }] }
    const again = await tenant.admin.post('/gateway/openai/v1/chat/completions', said)
    expect(again.headers['x-gateway-cache']).toBe('semantic')
  })

  test('is found after a restart, because its vector is stored', async () => {
    await cacheOf(tenant.admin, question)
    const [entry] = await untilKept(world, tenant, 1)
    expect(entry?.sealed_vector?.length).toBeGreaterThan(256 * 4)
    // A purge without matching entries makes this instance drop its memory.
    const none = { older_than_seconds: 86_400 }
    expect((await tenant.admin.post('/gateway/cache/purge', none)).body.data.purged_entries).toBe(0)
    expect(await cacheOf(tenant.admin, like)).toBe('semantic')
  })

  test.each([
    ['exact only', { cache: { mode: 'exact' } }],
    ['a fresh one', { cache: { mode: 'refresh' } }],
    ['nothing old', { cache: { max_age_s: 0 } }],
    ['another temperature', { temperature: 0.3 }],
    [
      'another system text',
      {
        messages: [
          { role: 'system', content: 'Be rude.' },
          { role: 'user', content: like },
        ],
      },
    ],
    [
      'another turn before it',
      {
        messages: [
          { role: 'user', content: 'I use a phone.' },
          { role: 'assistant', content: 'Yes?' },
          { role: 'user', content: like },
        ],
      },
    ],
  ])('is asked anew by a caller who wants %s', async (_what, over) => {
    expect(await after(question, like, over)).toBe('miss')
  })

  test('is not looked for where the tenant or the policy does not want it', async () => {
    await onlyPolicy(tenant, { cache: { mode: 'exact' } })
    expect(await after(question, like)).toBe('miss')
    await onlyPolicy(tenant, { cache })
    await tenant.admin.patch('/gateway/cache', { semantic: { enabled: false } })
    expect(await cacheOf(tenant.admin, question)).toBe('miss')
    expect(await cacheOf(tenant.admin, like)).toBe('miss')
  })

  test('stays within its partition', async () => {
    const [a, b] = [await withKey(tenant, 'a'), await withKey(tenant, 'b')]
    await cacheOf(a.client, question)
    await untilKept(world, tenant, 1)
    expect([await cacheOf(b.client, like), await cacheOf(a.client, like)]).toEqual(['miss', 'semantic'])
  })
})

describe('the guard', () => {
  test.each([
    ['What does a plan for 20 people cost a year?', 'What does a plan for 25 people cost a year?'],
    ['Is it safe to mix the two cleaning agents at home?', 'Is it not safe to mix the two cleaning agents at home?'],
    [
      'Tell me something about the history, the language, the music and the people of Norway',
      'Tell me something about the history, the language, the music and the people of Sweden',
    ],
    [
      'How do I enable the automatic backup of the data of my account on the website?',
      'How do I disable the automatic backup of the data of my account on the website?',
    ],
  ])('keeps %j from answering %j', async (first, second) => {
    // Similar enough that only the guard can separate them.
    expect(cosine(hashedVector(first), hashedVector(second))).toBeGreaterThan(cache.semantic_threshold)
    expect(await after(first, second)).toBe('miss')
    expect(upstream.received).toHaveLength(2)
  })

  test('lets an answer about a person serve another one with their own values', async () => {
    upstream.reply(sayBack(({ body }) => `Sent to ${/⟦EMAIL_1⟧/.exec(body.messages[0].content)}`))
    await cacheOf(tenant.admin, 'Which form do I need to send the signed contract of employment to carl@example.org?')
    await untilKept(world, tenant, 1)
    const other = 'Which form would I need to send the signed contract of employment to dora@example.org?'
    const { cache: status, choices } = (await ask(tenant.admin, other, { cache: undefined })).body.data
    expect([status, choices[0].message.content]).toEqual(['semantic', 'Sent to dora@example.org'])
  })
})

describe('the embedding model', () => {
  const vector = (values: readonly number[]) => (response: import('node:http').ServerResponse) => {
    const usage = { prompt_tokens: 1_000_000, total_tokens: 1_000_000 }
    const data = [{ object: 'embedding', index: 0, embedding: values }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', model: 'v', data, usage }))
  }
  let vectors: Upstream
  beforeAll(async () => {
    vectors = await openUpstream()
  })
  afterAll(() => vectors?.close())
  beforeEach(async () => {
    vectors.received.length = 0
    await addProvider(tenant.admin, 'vectors', vectors, { models: ['embed-1'] })
  })

  test('is paid for, also where the answer is free', async () => {
    await priceModel(tenant.admin, 'embed-1', { currency: 'USD', prices: { input: '0.5' } })
    await enable('vectors/embed-1')
    vectors.reply(vector([3, 4]))
    await cacheOf(tenant.admin, question)
    await untilKept(world, tenant, 1)
    const { cache: status, cost } = (await ask(tenant.admin, like, { cache: undefined })).body.data
    expect(status).toBe('semantic')
    expect(cost).toEqual({ amount: '0.5', currency: 'USD', status: 'priced' })
  })

  test('gets the question as redacted, and nothing else', async () => {
    await enable('vectors/embed-1')
    vectors.reply(vector([3, 4]))
    await cacheOf(tenant.admin, 'How do I write to carl@example.org?')
    expect(vectors.received[0]?.body.input).toEqual(['How do I write to ⟦EMAIL_1⟧?'])
  })

  test.each([
    ['fails', fail(500)],
    ['sends no vector', vector([])],
    ['sends nothing but zeros', vector([0, 0])],
  ])('that %s lets the call go on', async (_what, reply) => {
    await enable('vectors/embed-1')
    vectors.reply(reply)
    const { id, cache: status } = (await ask(tenant.admin, question, { cache: undefined })).body.data
    expect(status).toBe('miss')
    const logged = (await tenant.admin.get(`/gateway/requests/${id}`)).body.data
    expect(logged.attempts.map(({ ok }: { ok: boolean }) => ok)).toEqual([false, true])
    expect(logged.fail_open).toEqual([])
    const [entry] = await untilKept(world, tenant, 1)
    expect(entry?.context).toBeNull()
  })

  test('is not asked where a policy or a kill switch forbids it', async () => {
    await enable('vectors/embed-1')
    vectors.reply(vector([3, 4]))
    await onlyPolicy(tenant, { cache, models: { deny: ['embed-*'] } })
    expect(await after(question, like)).toBe('miss')
    await onlyPolicy(tenant, { cache })
    const reason = 'A reason that is long enough'
    await tenant.admin.post('/gateway/kill-switches', { scope: 'provider', value: 'vectors', reason })
    expect(await cacheOf(tenant.admin, 'Where is my account page?')).toBe('miss')
    expect(vectors.received).toEqual([])
  })

  test('is let go of where a kill switch comes while it is asked, and paid for what it read', async () => {
    await priceModel(tenant.admin, 'embed-1', dollarATokenPrice)
    await enable('vectors/embed-1')
    vectors.reply(hang)
    upstream.reply(fail(400))
    const arrived = vectors.next()
    const running = ask(tenant.admin, question, { cache: undefined })
    const asked = await arrived
    const body = { scope: 'provider', value: 'vectors', reason: 'A reason that is long enough' }
    const { propagation } = expectStatus(await tenant.admin.post('/gateway/kill-switches', body), 201).body.data
    expect(propagation.inflight_aborted).toBe(1)
    await asked.closed
    const { error_code, log_id } = (await running).body
    const logged = (await tenant.admin.get(`/gateway/requests/${log_id}`)).body.data
    expect([error_code, logged.cache, logged.fail_open]).toEqual(['GW-017', 'miss', []])
    expect(logged.attempts[0].reason).toContain('kill switch')
    expect(logged.cost).toMatchObject({ status: 'estimated', currency: 'USD' })
  })
})

test('C63 a vector that was moved to another row opens nothing, and the call goes on', async () => {
  await cacheOf(tenant.admin, question)
  await untilKept(world, tenant, 1)
  await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.execute(sql`update gateway_cache_entry set id = gen_random_uuid()`),
  )
  const { status, body } = await ask(tenant.admin, like, { cache: undefined })
  expect([status, body.data.cache]).toEqual([200, 'off'])
})
