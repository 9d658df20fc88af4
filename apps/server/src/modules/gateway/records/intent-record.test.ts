/** Whether a call is recorded before its provider is asked. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { dollarATokenPrice, makeBudget, priceModel } from '../testing/money.ts'
import { onlyPolicy, published } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('intents')
  upstream = await openUpstream()
  await addProvider(tenant.admin, 'local', upstream, { models: ['test-*', 'test-model'] })
  await onlyPolicy(tenant, { audit: { intent_record: false } })
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

async function entriesOf(call: object): Promise<readonly string[]> {
  const { data } = (await ask(tenant.admin, 'audited', call)).body
  const entries = await world.kernel.db.tenant({ tenantId: tenant.id, readOnly: true }, (tx) =>
    tx.query(sql<{ action: string }>`select action from audit_entry where target = ${`request:${data.id}`}`),
  )
  return entries.map(({ action }) => action).sort()
}

const both = ['gateway.request', 'gateway.request.intent']

test('is up to the policy: the outcome is recorded in any case', async () => {
  expect(await entriesOf({})).toEqual(['gateway.request'])
})

test('and says what was decided until then, with what the call belongs to', async () => {
  await published(tenant, 'with-decision', { audit: { intent_record: true } }, [])
  const body = {
    model: 'test-model',
    messages: [{ role: 'user', content: 'Write to ann@example.org' }],
    policy_id: 'with-decision',
  }
  const tagged = { headers: { 'x-gateway-tags': 'nightly' } }
  const { data } = (await tenant.admin.post('/gateway/chat/completions', body, tagged)).body
  const [entry, intent] = await world.kernel.db.tenant({ tenantId: tenant.id, readOnly: true }, (tx) =>
    Promise.all([
      tx.first(
        sql`select after ->> 'decision' as decision from audit_entry
          where target = ${`request:${data.id}`} and action = 'gateway.request.intent'`,
      ),
      tx.first(sql`select decision, tags, parent_request_id from gateway_request_intent where id = ${data.id}`),
    ]),
  )
  expect(entry).toEqual({ decision: 'redacted' })
  expect(intent).toEqual({ decision: 'redacted', tags: ['nightly'], parent_request_id: null })
})

test('is so where any policy of the caller wants it', async () => {
  await published(tenant, 'with-intents', { audit: { intent_record: true } }, [])
  expect(await entriesOf({ policy_id: 'with-intents' })).toEqual(both)
})

test('is so where a budget covers the call: what a lost one cost is known by it', async () => {
  await priceModel(tenant.admin, 'test-model', dollarATokenPrice)
  await makeBudget(tenant.admin, { amount: '100000' })
  expect(await entriesOf({ max_tokens: 10 })).toEqual(both)
})

test('does not keep the question waiting, also on a connection that is looked at before it is used again', async () => {
  await published(tenant, 'after-asking', { audit: { intent_record: true } }, [])
  const done: string[] = []
  const asked = (): void => void done.push('asked')
  const { append: store } = world.kernel.db
  const append = vi.spyOn(world.kernel.db, 'append').mockImplementation((statements) => {
    done.push('recorded')
    return store.call(world.kernel.db, statements)
  })
  subscribe(sent, asked)
  for (let n = 0; n < 2; n += 1) await ask(tenant.admin, 'again', { policy_id: 'after-asking', max_tokens: 10 })
  unsubscribe(sent, asked)
  append.mockRestore()
  expect(done.slice(0, 2)).toEqual(['asked', 'recorded'])
  expect(done.slice(done.lastIndexOf('asked')).slice(0, 2)).toEqual(['asked', 'recorded'])
  expect(done.filter((one) => one === 'asked')).toHaveLength(2)
})

const sent = 'undici:client:sendHeaders'

test('goes with the outcome where the answer was quicker, before it in the chain', async () => {
  await published(tenant, 'quick', { audit: { intent_record: true } }, [])
  const append = vi.spyOn(world.kernel.db, 'append')
  const { data } = (await ask(tenant.admin, 'quick', { model: 'echo-1', policy_id: 'quick' })).body
  expect(append).toHaveBeenCalledTimes(1)
  append.mockRestore()
  const entries = await world.kernel.db.tenant({ tenantId: tenant.id, readOnly: true }, (tx) =>
    tx.query(sql<{ action: string }>`
      select action from audit_entry where target = ${`request:${data.id}`} order by id`),
  )
  expect(entries.map(({ action }) => action)).toEqual(['gateway.request.intent', 'gateway.request'])
})
