import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { nobody } from '../testing/misbehave.ts'
import { eventually } from '../testing/money.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('key-use')
  upstream = await openUpstream()
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

interface Shown {
  readonly id: string
  readonly last_used_at: string | null
}

const keysOf = async (id: string): Promise<readonly Shown[]> =>
  expectStatus(await tenant.admin.get(`/gateway/providers/${id}`), 200).body.data.secrets

test('a key tells when its provider was last asked with it, whatever the answer was', async () => {
  const made = await addProvider(tenant.admin, 'used', upstream, { models: ['test-used'] })
  expect(await keysOf(made.id)).toMatchObject([{ last_used_at: null }])
  const before = world.kernel.clock.iso()
  upstream.reply(fail(400))
  await ask(tenant.admin, 'hello', { model: 'test-used' })
  const [used] = await eventually(
    () => keysOf(made.id),
    ([first]) => first?.last_used_at !== null,
  )
  expect((used?.last_used_at ?? '') >= before).toBe(true)
  upstream.reply(say('Hello.'))
  await ask(tenant.admin, 'hello', { model: 'test-used' })
  // Written once a minute: the shown time is not later than the first call.
  expect((await keysOf(made.id))[0]).toEqual(used)
})

test('a key nobody saw was not used', async () => {
  const made = await addProvider(tenant.admin, 'away', { ...upstream, ...nobody }, { models: ['test-away'] })
  const answer = await ask(tenant.admin, 'hello', { model: 'test-away' })
  expect(answer.body.error_code).toBe('GW-011')
  expect(await keysOf(made.id)).toMatchObject([{ id: 'main', last_used_at: null }])
})
