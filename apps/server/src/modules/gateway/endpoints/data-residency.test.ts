/** A tenant's allowed regions apply in addition to every policy, and to its descendants. */
import { beforeEach, expect, test } from 'vitest'
import { expectStatus, openWorld } from '../../../../test/support/world.ts'
import { withProvider } from '../testing/one-provider.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { say } from '../testing/upstream.ts'

const at = withProvider('residency', () => openWorld({ own: true }))

beforeEach(() => {
  at.upstream.received.splice(0)
  at.upstream.reply(say('Hello.'))
})

const code = async (over: object = {}) => {
  const { status, body } = await ask(at.tenant.admin, 'Hi', over)
  return status === 200 ? status : body.error_code
}
const settings = (of: { readonly id: string }, values: object) =>
  at.world.operator.patch(`/iam/tenants/${of.id}`, { settings: values })
const worksIn = async (...residency: string[]) => {
  const { data } = (await at.tenant.admin.get('/gateway/providers', { query: { kind: 'openai_compatible' } })).body
  expectStatus(await at.tenant.admin.patch(`/gateway/providers/${data[0].id}`, { residency }), 200)
}

test('a provider elsewhere, or of nobody knows where, is asked nothing, whatever the policies allow', async () => {
  await onlyPolicy(at.tenant, { providers: { residency: [] } })
  expect(await code()).toBe(200)
  expectStatus(await settings(at.tenant, { data_residency: ['EU'] }), 200)
  expect(await code()).toBe('GW-007')
  await worksIn('DE', 'US')
  expect(await code()).toBe('GW-007')
  expect(at.upstream.received).toHaveLength(1)
  await worksIn('DE', 'FR')
  expect(await code()).toBe(200)
  // Calls to the demo provider stay here.
  expect(await code({ model: 'echo-1' })).toBe(200)
})

test('what a tenant above says counts at the next call, and no list can undo another', async () => {
  await worksIn('FR')
  expect(await code()).toBe(200)
  expectStatus(await settings(at.world.root, { data_residency: ['DE', 'US'] }), 200)
  expect(await code()).toBe('GW-007')
  await worksIn('DE')
  expect(await code()).toBe(200)
  const { effective_settings: held } = (await at.tenant.admin.get(`/iam/tenants/${at.tenant.id}`)).body.data
  expect(held.data_residency).toEqual(['DE'])
  expectStatus(await settings(at.tenant, { data_residency: ['FR'] }), 200)
  expect(await code()).toBe('GW-007')
  expectStatus(await settings(at.world.root, { data_residency: null }), 200)
  expectStatus(await settings(at.tenant, { data_residency: null }), 200)
  await worksIn()
  expect(await code()).toBe(200)
})

test('another tenant is asked for its own', async () => {
  const other = await at.world.tenant('residency-free')
  await addProvider(other.admin, 'local', at.upstream)
  expectStatus(await settings(at.tenant, { data_residency: ['CH'] }), 200)
  expect(await code()).toBe('GW-007')
  expect((await ask(other.admin, 'Hi')).status).toBe(200)
})
