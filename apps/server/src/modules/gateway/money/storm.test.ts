/** Everything that may happen to a call, at once, while its budget runs out. */
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seeded } from '../../../../test/crash/random.ts'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { makeRoute, reset } from '../testing/misbehave.ts'
import { budgetNow, dollarATokenPrice, eventually, makeBudget, priceModel } from '../testing/money.ts'
import { body } from '../testing/openai-replies.ts'
import { addProvider } from '../testing/support.ts'
import { fail, openUpstream, type Reply, say, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
let route: { readonly name: string }
let address: string

/** Another with PARAPET_TEST_SEED. */
const seed = Number(process.env.PARAPET_TEST_SEED ?? 20261126)

/** The provider's speed is not under test. */
const timeouts = { connect_ms: 30_000, first_byte_ms: 60_000, idle_ms: 60_000, total_ms: 120_000 }

beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('storm')
  upstream = await openUpstream()
  for (const name of ['first', 'second']) {
    await addProvider(tenant.admin, name, upstream, { models: [`test-${name}`], timeouts })
    await priceModel(tenant.admin, `test-${name}`, dollarATokenPrice)
  }
  const targets = ['first', 'second'].map((name) => ({ provider: name, model: `test-${name}` }))
  route = await makeRoute(tenant.admin, targets, { retry: { base_ms: 0 }, hedge: { after_ms: 500 } })
  address = await world.address()
}, 60_000)

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const whole = { index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }
const counting = (usage: unknown): Reply => body({ id: 'x', model: 'm', choices: [whole], usage })

/** Possible replies of the provider, for any call. */
const whims: readonly Reply[] = [
  say('Hello.'),
  say('Hello.'),
  fail(500),
  reset,
  counting({ prompt_tokens: -5, completion_tokens: -7 }),
  counting({ prompt_tokens: 1e300, completion_tokens: 1e300 }),
  counting({ prompt_tokens: 'many', completion_tokens: '7' }),
  counting({ prompt_tokens: 1.5, completion_tokens: null }),
  counting('none'),
]
const streamedWhims: readonly Reply[] = [
  streamed(['Hel', 'lo.']),
  streamed(['Hel', 'lo.'], { broken: true }),
  streamed(['Hel'], { open: true }),
  fail(500),
]

/** Resolves when the answer is over or the client has left; `leaves` disconnects at its first byte. */
function call(content: string, { stream, leaves }: { readonly stream: boolean; readonly leaves: boolean }) {
  return new Promise<number>((resolve) => {
    const asked = request(`${address}/api/v1/gateway/chat/completions`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${tenant.admin.token}`, 'content-type': 'application/json' },
    })
    asked.on('error', () => resolve(0))
    asked.on('response', (response) => {
      response.on('data', () => leaves && asked.destroy())
      response.on('close', () => resolve(response.statusCode ?? 0))
    })
    const messages = [{ role: 'user', content }]
    asked.end(JSON.stringify({ model: route.name, messages, max_tokens: 10, temperature: 0, stream }))
  })
}

const isStream = (given: { readonly body: { readonly stream?: boolean } }): boolean => given.body.stream === true

test(`200 calls that fail, break, hang up, repeat and are counted absurdly spend what the log says and no more than there is (seed ${seed})`, async () => {
  const chance = seeded(seed)
  const budget = await makeBudget(tenant.admin, { amount: '600' })
  upstream.reply((response, received) => {
    const whim = chance.pick(isStream(received) ? streamedWhims : whims)
    return whim?.(response, received)
  })
  const statuses = await Promise.all(
    Array.from({ length: 200 }, () => {
      const stream = chance.below(2) === 0
      // A stream that stays open ends when its reader disconnects.
      return call(`question ${chance.below(40)}`, { stream, leaves: stream })
    }),
  )
  expect(statuses).toContain(200)
  expect(statuses).toContain(429)
  const over = await eventually(
    () => budgetNow(tenant.admin, budget.id),
    ({ reserved }) => reserved === '0',
  )
  expect(Number(over.spent)).toBeGreaterThan(0)
  expect(Number(over.spent)).toBeLessThanOrEqual(600)
  const [log] = await world.kernel.db.read(
    tenant.id,
    sql<{ cost: number; n: number }>`
      select sum((cost ->> 'amount')::numeric)::float as cost, count(*)::int as n from gateway_request`,
  )
  expect(log).toEqual({ cost: Number(over.spent), n: 200 })
}, 300_000)
