/** What happens to a text in which more looks like personal data than is judged. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { onlyPolicy } from './test/policies.ts'
import { addProvider, ask } from './test/support.ts'
import { openUpstream, say, type Upstream } from './test/upstream.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
  tenant = await world.tenant('unread')
  await addProvider(tenant.admin, 'local', upstream)
}, 60_000)

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

beforeEach(() => {
  upstream.received.splice(0)
  upstream.reply(say('Hello.'))
})

/** House numbers with a state each: none is an address, all have to be judged. */
const flood = '1 TN '.repeat(120_000)
const asked = () => ask(tenant.admin, `${flood} and write to jane.early@example.org`)

test.each([
  ['closed', { failure: { sensitive_data: 'closed' } }],
  ['open', { failure: { sensitive_data: 'open' } }],
])('it is refused under a policy that hides personal data and fails %s', async (_how, policy) => {
  await onlyPolicy(tenant, policy)
  const { status, body } = await asked()
  expect(status).toBe(503)
  expect(body.error_code).toBe('GW-019')
  expect(upstream.received).toEqual([])
})

test('an ordinary text of the same length is not refused', async () => {
  await onlyPolicy(tenant, {})
  const { status } = await ask(tenant.admin, `${'The ferry is in. '.repeat(35_000)} write to jane.early@example.org`)
  expect(status).toBe(200)
  expect(JSON.stringify(upstream.received.at(-1)?.body)).not.toContain('jane.early')
})
