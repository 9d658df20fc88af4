/** Size limits on a provider's answer. */
import { beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { withProvider } from '../testing/one-provider.ts'
import { addProvider, ask } from '../testing/support.ts'
import { say } from '../testing/upstream.ts'

const at = withProvider('bytes')
const long = 'All is well. '.repeat(6000)

let narrow: string

beforeAll(async () => {
  const limits = { max_response_bytes: 65_536 }
  narrow = (await addProvider(at.tenant.admin, 'narrow', at.upstream, { limits })).id
  at.upstream.reply(say(long))
}, 60_000)

const call = (provider: string, content: string) => ask(at.tenant.admin, content, { provider, model: 'test-model' })

test('an answer over the bound of its provider is none, and another provider’s bound is its own', async () => {
  const refused = await call('narrow', 'How are you?')
  expect([refused.status, refused.body.error_code]).toEqual([502, 'GW-013'])
  expect(expectStatus(await call('local', 'How are you?'), 200).body.data.choices[0].message.content).toBe(long)
})

test('the bound is taken away like every limit', async () => {
  const { admin } = at.tenant
  const path = `/gateway/providers/${narrow}`
  expect((await admin.patch(path, { limits: { max_response_bytes: 65_535 } })).body.error_code).toBe('API-001')
  const { limits } = expectStatus(await admin.patch(path, { limits: { max_response_bytes: null } }), 200).body.data
  expect(limits).toEqual({ max_concurrency: null, rpm: null, tpm: null, max_response_bytes: null })
  expectStatus(await call('narrow', 'And now?'), 200)
})

test('a provider from before there was a bound has the usual one', async () => {
  const { id: tenantId, admin } = at.tenant
  await at.world.kernel.db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`update gateway_provider set limits = limits - 'max_response_bytes' where id = ${narrow}`),
  )
  expectStatus(await admin.patch(`/gateway/providers/${narrow}`, { zero_retention: true }), 200)
  const shown = expectStatus(await admin.get(`/gateway/providers/${narrow}`), 200).body.data
  expect(shown.limits.max_response_bytes).toBeNull()
  expectStatus(await call('narrow', 'Still well?'), 200)
})
