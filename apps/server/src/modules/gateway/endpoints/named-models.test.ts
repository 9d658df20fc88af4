/**
 * Other models that a call names for its provider to use: they are checked against the policy like the requested model.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider } from '../testing/support.ts'
import { openTwoVendors, type TwoVendors } from '../testing/two-vendors.ts'
import type { Upstream } from '../testing/upstream.ts'

let at: TwoVendors
beforeAll(async () => {
  at = await openTwoVendors()
  await addProvider(at.admin, 'claude', at.vendor, { kind: 'anthropic', models: ['claude-*'] })
  await addProvider(at.admin, 'all', at.vendor, { kind: 'anthropic', models: [] })
})
afterAll(() => at.close())
beforeEach(() => at.forget())

const claude = (over: object) => at.claude(over)
const chat = (over: object) => at.chat(over)
const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'claude-dear' }

const namings: readonly [string, () => ReturnType<typeof claude>, () => Upstream][] = [
  ['to fall back on', () => claude({ fallbacks: [{ model: 'claude-1' }, { model: 'claude-dear' }] }), () => at.vendor],
  ['for a tool that runs at the vendor', () => claude({ tools: [advisor] }), () => at.vendor],
  ['to be asked in turn', () => chat({ models: ['test-model', 'test-dear'] }), () => at.upstream],
  ['to fall back on in a list of names', () => chat({ fallbacks: ['test-dear'] }), () => at.upstream],
]

test.each(namings)('a model %s is asked where the policy allows it', async (_what, ask, upstream) => {
  await onlyPolicy(at.tenant, {})
  expect((await ask()).status).toBe(200)
  expect(upstream().received).toHaveLength(1)
})

test.each(namings)('a model %s is refused where it does not', async (_what, ask, upstream) => {
  await onlyPolicy(at.tenant, { models: { allow: ['claude-1', 'test-model'] } })
  const { status, body } = await ask()
  expect(status).toBe(403)
  expect(JSON.stringify(body)).toContain('GW-007')
  expect(upstream().received).toEqual([])
})

test.each(namings)('a model %s is stopped by a kill switch', async (_what, ask, upstream) => {
  await onlyPolicy(at.tenant, {})
  const value = upstream() === at.vendor ? 'claude-dear' : 'test-dear'
  const reason = 'It is to stop at once'
  const made = await at.admin.post('/gateway/kill-switches', { scope: 'model', value, reason })
  const { id } = expectStatus(made, 201).body.data
  const { status, body } = await ask()
  expect([status, JSON.stringify(body)]).toEqual([503, expect.stringContaining('GW-010')])
  expect(upstream().received).toEqual([])
  expectStatus(await at.admin.post(`/gateway/kill-switches/${id}/deactivate`, { reason: 'It may go on again' }), 200)
})

test('a model that its provider is not to be used for is refused', async () => {
  await onlyPolicy(at.tenant, {})
  expect((await claude({ fallbacks: [{ model: 'other-1' }] })).status).toBe(403)
  expect((await chat({ models: ['test-model', 'gpt-1'] })).status).toBe(403)
  expect([...at.vendor.received, ...at.upstream.received]).toEqual([])
})

test('a choice that is left to the vendor is one where every model may be used', async () => {
  await onlyPolicy(at.tenant, {})
  const fallbacks = 'default'
  expect((await claude({ fallbacks })).status).toBe(403)
  expect((await claude({ model: 'all/claude-1', fallbacks })).status).toBe(200)
  await onlyPolicy(at.tenant, { models: { allow: ['claude-*'] } })
  expect((await claude({ model: 'all/claude-1', fallbacks })).status).toBe(403)
  expect(at.vendor.received).toHaveLength(1)
})

test('a policy that only watches tells of it', async () => {
  await onlyPolicy(at.tenant, { mode: 'monitor', models: { allow: ['claude-1'] } })
  expect((await claude({ fallbacks: [{ model: 'claude-dear' }] })).status).toBe(200)
  const [logged] = (await at.admin.get('/gateway/requests', { query: { limit: '1' } })).body.data
  expect(logged.security.policy_violations).toMatchObject([{ rule_id: 'model-not-allowed', action: 'would_block' }])
})
