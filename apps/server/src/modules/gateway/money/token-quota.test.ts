import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('tokens')
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
  await addProvider(tenant.admin, 'local', upstream, { models: ['test-model'] })
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const setQuota = (tokens: number | null): Promise<void> => world.setQuotas(tenant, { llm_tokens_per_day: tokens })

const codeOf = async (text = 'hello') => (await ask(tenant.admin, text)).body.error_code ?? null

test('a call that finds no room is refused before anything is sent, and told when there is room again', async () => {
  await setQuota(0)
  await expect.poll(() => codeOf()).toBe('GW-008')
  const sent = upstream.received.length
  const refused = await ask(tenant.admin, 'hello')
  expect([refused.status, refused.body.error_code]).toEqual([429, 'GW-008'])
  const seconds = Number(refused.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(86_400)
  expect(upstream.received).toHaveLength(sent)
})

test('its own length counts before the call, what it came to counts after', async () => {
  await setQuota(400)
  await expect.poll(() => codeOf()).toBeNull()
  // About 1,000 tokens.
  expect(await codeOf('word '.repeat(800))).toBe('GW-008')
  // Each one costs 18 tokens.
  await expect.poll(() => codeOf(), { timeout: 60_000 }).toBe('GW-008')
})

test('what is used is shown beside the quota, also where there is none', async () => {
  await setQuota(null)
  await expect
    .poll(async () => {
      expectStatus(await ask(tenant.admin, 'hello'), 200)
      const { quotas, usage } = expectStatus(await tenant.admin.get(`/iam/tenants/${tenant.id}`), 200).body.data
      return quotas.llm_tokens_per_day === undefined && usage.llm_tokens_per_day > 0
    })
    .toBe(true)
})

test('another tenant is not counted', async () => {
  const other = await world.tenant('untouched')
  const { usage } = expectStatus(await other.admin.get(`/iam/tenants/${other.id}`), 200).body.data
  expect(usage.llm_tokens_per_day).toBe(0)
})
