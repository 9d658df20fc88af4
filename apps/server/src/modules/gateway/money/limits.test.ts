import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { heldBack } from '../testing/misbehave.ts'
import { dollarATokenPrice, eventually, priceModel } from '../testing/money.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
let made = 0

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('limits')
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
  await addProvider(tenant.admin, 'local', upstream, { models: ['test-model'] })
  await priceModel(tenant.admin, 'test-model', dollarATokenPrice)
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

/** A published policy with one limit, to be named in calls. */
async function limited(limit: object, over: object = {}): Promise<{ policy_id: string }> {
  made += 1
  const document = { limits: [{ id: `l${made}`, per: 'tenant', window_seconds: 3600, ...limit }], ...over }
  const { id } = expectStatus(await tenant.admin.post('/gateway/policies', { name: `limit-${made}`, document }), 201)
    .body.data
  expectStatus(await tenant.admin.post(`/gateway/policies/${id}/publish`, { version: 1 }), 200)
  return { policy_id: id }
}

const statusOf = async (over: object, text = 'hello') => (await ask(tenant.admin, text, over)).status

test('requests are counted, and a refusal says when to come back', async () => {
  const policy = await limited({ unit: 'requests', max: 2 })
  expect([await statusOf(policy), await statusOf(policy)]).toEqual([200, 200])
  const refused = await ask(tenant.admin, 'hello', policy)
  expect([refused.status, refused.body.error_code]).toEqual([429, 'GW-008'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
})

test('a call that finds no place among those under way uses nothing up', async () => {
  const policy = await limited(
    { unit: 'requests', max: 3 },
    {
      limits: [
        { id: 'rpm', per: 'tenant', unit: 'requests', max: 3, window_seconds: 3600 },
        { id: 'at-once', per: 'tenant', unit: 'concurrent', max: 1 },
      ],
    },
  )
  const { reply, release } = heldBack(say('Hello.'))
  upstream.reply(reply)
  const arrived = upstream.next()
  const running = statusOf(policy)
  await arrived
  for (let refused = 0; refused < 4; refused += 1) expect(await statusOf(policy)).toBe(429)
  upstream.reply(say('Hello.'))
  release()
  expect(await running).toBe(200)
  expect([await statusOf(policy), await statusOf(policy), await statusOf(policy)]).toEqual([200, 200, 429])
})

test('C52 input tokens are counted before the call', async () => {
  const policy = await limited({ unit: 'input_tokens', max: 100 })
  expect(await statusOf(policy)).toBe(200)
  expect(await statusOf(policy, 'words '.repeat(200))).toBe(429)
  expect(await statusOf(policy)).toBe(200)
})

test('output tokens and cost are counted after it, and refuse once they are used up', async () => {
  const tokens = await limited({ unit: 'output_tokens', max: 10 })
  expect(await statusOf(tokens)).toBe(200)
  await eventually(
    () => statusOf(tokens),
    (status) => status === 429,
  )
  const cost = await limited({ unit: 'cost', max: 30, currency: 'USD' })
  expect(await statusOf(cost)).toBe(200)
  await eventually(
    () => statusOf(cost),
    (status) => status === 429,
  )
})

test('a limit of a policy that only watches is enforced where another policy of the call enforces', async () => {
  const policy = await limited({ unit: 'requests', max: 0 }, { mode: 'monitor' })
  // The baseline policy enforces, and the stricter of the two modes counts.
  expect(await statusOf(policy)).toBe(429)
})

test.each([
  ['requests', { unit: 'requests', max: 1, window_seconds: 3600 }],
  ['calls at once', { unit: 'concurrent', max: 0 }],
])('a limit of %s that is only watched is noted and lets the call pass', async (_what, limit) => {
  const other = await world.tenant(`watched-${limit.unit}`)
  await addProvider(other.admin, 'local', upstream, { models: ['test-model'] })
  await onlyPolicy(other, {
    mode: 'monitor',
    limits: [{ id: 'watched', per: 'tenant', ...limit }],
  })
  await ask(other.admin, 'hello')
  const { data } = expectStatus(await ask(other.admin, 'hello'), 200).body
  expect(data.security.policy_violations).toMatchObject([
    { rule_id: 'watched', step: 'rate_and_budget', category: 'limit', action: 'would_block' },
  ])
  const [logged] = (await other.admin.get('/gateway/requests', { query: { limit: '1' } })).body.data
  expect(logged).toMatchObject({ status: 'completed', decision: 'flagged', policy_mode: 'monitor' })
})

test.each([
  [{ unit: 'input_tokens', window_seconds: undefined }, 'window_seconds'],
  [{ unit: 'cost' }, 'currency'],
  [{ unit: 'requests', currency: 'USD' }, 'currency'],
])('%j is no limit', async (limit, field) => {
  const document = { limits: [{ id: 'x', per: 'tenant', max: 1, window_seconds: 60, ...limit }] }
  const answer = await tenant.admin.post('/gateway/policies', { name: 'no-limit', document })
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, `/document/limits/0/${field}`])
})
