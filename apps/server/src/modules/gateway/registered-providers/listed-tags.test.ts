/** Items of lists tell the entity tag that a change of them names. */
import { beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { makeBudget } from '../testing/money.ts'
import { withProvider } from '../testing/one-provider.ts'

const at = withProvider('tags')

beforeAll(async () => {
  const route = { name: 'tagged', targets: [{ provider: 'local', model: 'test-model' }] }
  expectStatus(await at.tenant.admin.post('/gateway/routes', route), 201)
  await makeBudget(at.tenant.admin)
})

test.each([
  ['providers', { zero_retention: true }],
  ['models', { aliases: ['another'] }],
  ['routes', { strategy: 'weighted' }],
  ['policies', { description: 'Looked at.' }],
  ['budgets', { amount: '7' }],
])('%s', async (path, change) => {
  const { admin } = at.tenant
  const [item] = expectStatus(await admin.get(`/gateway/${path}`), 200).body.data
  const patch = () => admin.patch(`/gateway/${path}/${item.id}`, change, { headers: { 'if-match': item.etag } })
  expectStatus(await patch(), 200)
  const late = await patch()
  expect([late.status, late.body.error_code]).toEqual([412, 'API-012'])
})
