/** Members by which a call sets its provider's region and storage: they are checked against the policy. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider } from '../testing/support.ts'
import { openTwoVendors, type TwoVendors } from '../testing/two-vendors.ts'

let at: TwoVendors
beforeAll(async () => {
  at = await openTwoVendors()
  const here = { residency: ['DE'], zero_retention: true }
  await addProvider(at.admin, 'claude', at.vendor, { kind: 'anthropic', models: ['claude-*'], ...here })
  await addProvider(at.admin, 'chats', at.upstream, { models: ['chat-*'], ...here })
})
afterAll(() => at.close())
beforeEach(() => at.forget())

const claude = (over: object) => at.claude(over)
const chat = (over: object) => at.chat({ model: 'chat-1', ...over })

const servers = [{ type: 'url', name: 'notes', url: 'https://tools.example.org' }]
const fallbacks = [{ model: 'claude-2', inference_geo: 'us' }]
type Ask = () => ReturnType<typeof claude>

const away: readonly [string, Ask][] = [
  ['a model that runs elsewhere', () => claude({ inference_geo: 'us' })],
  ['a model that runs anywhere', () => claude({ inference_geo: 'global' })],
  ['another model that runs elsewhere', () => claude({ fallbacks })],
  ['servers of tools', () => claude({ mcp_servers: servers })],
  ['a choice among providers', () => chat({ provider: { order: ['a'] } })],
]

describe('where data is to stay', () => {
  test.each(away)('%s is refused', async (_what, ask) => {
    await onlyPolicy(at.tenant, { providers: { residency: ['EU'] } })
    const { status, body } = await ask()
    expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('GW-007')])
    expect([...at.vendor.received, ...at.upstream.received]).toEqual([])
  })

  test('a place among those that are allowed is passed on', async () => {
    await onlyPolicy(at.tenant, { providers: { residency: ['EU'] } })
    for (const geo of ['de', 'eu']) expectStatus(await claude({ inference_geo: geo }), 200)
    expect(at.vendor.received.map(({ body }) => body.inference_geo)).toEqual(['de', 'eu'])
  })

  test('a policy that only watches tells of it', async () => {
    await onlyPolicy(at.tenant, { mode: 'monitor', providers: { residency: ['EU'] } })
    expectStatus(await claude({ inference_geo: 'us' }), 200)
    const [logged] = (await at.admin.get('/gateway/requests', { query: { limit: '1' } })).body.data
    expect(logged.security.policy_violations).toMatchObject([{ rule_id: 'residency', action: 'would_block' }])
  })

  test('a target of a route that is for some regions is not asked either', async () => {
    await onlyPolicy(at.tenant, {})
    const conditions = { residency: ['DE'] }
    const targets = [{ provider: 'claude', model: 'claude-1', conditions }]
    expectStatus(await at.admin.post('/gateway/routes', { name: 'german', strategy: 'priority', targets }), 201)
    expectStatus(await claude({ model: 'german', inference_geo: 'de' }), 200)
    expect(JSON.stringify((await claude({ model: 'german', inference_geo: 'us' })).body)).toContain('GW-001')
    expect(at.vendor.received).toHaveLength(1)
  })
})

test.each(away)('%s is asked where data may go anywhere', async (_what, ask) => {
  await onlyPolicy(at.tenant, {})
  expectStatus(await ask(), 200)
})

test.each<[string, Ask]>([
  ['a prompt that is kept for a day', () => chat({ prompt_cache_retention: '24h' })],
  ['a container', () => claude({ container: 'c_1' })],
  ['servers of tools', () => claude({ mcp_servers: servers })],
])('%s is refused where nothing is to be kept', async (_what, ask) => {
  await onlyPolicy(at.tenant, {})
  expectStatus(await ask(), 200)
  await onlyPolicy(at.tenant, { providers: { require_zero_retention: true } })
  const { status, body } = await ask()
  expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('GW-007')])
  expect([...at.vendor.received, ...at.upstream.received]).toHaveLength(1)
})

test('a place is not left out where a provider has no word for it', async () => {
  await onlyPolicy(at.tenant, { upstream: { on_unsupported: 'drop' } })
  const { body } = await claude({ model: 'chat-1', inference_geo: 'us' })
  expect(JSON.stringify(body)).toContain('GW-022')
  expect(at.upstream.received).toEqual([])
})

test.each([
  ['a search', { web_search_options: {} }],
  ['a search of another vendor', { search_parameters: { mode: 'auto' } }],
  ['a plugin', { plugins: [{ id: 'web_search' }] }],
])('%s that a member switches on is a tool', async (_what, over) => {
  await onlyPolicy(at.tenant, {})
  expectStatus(await chat(over), 200)
  await onlyPolicy(at.tenant, { content: { tools: { deny: ['web_search*'] } } })
  expect((await chat(over)).body.error).toMatchObject({ code: 'GW-005' })
  expect(at.upstream.received).toHaveLength(1)
  expectStatus(await chat({ search_parameters: { mode: 'off' }, enable_search: false }), 200)
})
