/** The filters of the lists that have no test of their own for them; those of the request log are in requests-search.test.ts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addProvider } from '../testing/support.ts'
import { openUpstream, type Upstream } from '../testing/upstream.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
  tenant = await world.tenant('filters')
  await addProvider(tenant.admin, 'local', upstream, { status: 'disabled' })
  const bindings = [{ kind: 'role', value: 'viewer' }]
  expectStatus(await tenant.admin.post('/gateway/policies', { name: 'for-viewers', bindings }), 201)
  for (const [scope, value] of [
    ['model', 'test-a'],
    ['provider', 'local'],
  ])
    expectStatus(
      await tenant.admin.post('/gateway/kill-switches', {
        scope,
        value,
        level: 'block_new',
        reason: 'a test of filters',
      }),
      201,
    )
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

test.each<[path: string, query: Record<string, string>, member: string, found: readonly string[]]>([
  ['providers', { kind: 'echo' }, 'name', ['echo']],
  ['providers', { status: 'disabled' }, 'name', ['local']],
  ['providers', { health: 'unknown', status: 'enabled' }, 'name', ['echo']],
  ['providers', { health: 'down' }, 'name', []],
  ['models', { q: 'embed' }, 'name', ['echo-embed-1']],
  ['models', { enabled: 'true', capability: 'vision', q: 'test' }, 'name', []],
  ['policies', { status: 'draft' }, 'name', ['for-viewers']],
  ['policies', { binding: 'tenant' }, 'name', ['baseline']],
  ['policies', { binding: 'role' }, 'name', ['for-viewers']],
  ['policies', { binding: 'route' }, 'name', []],
  ['kill-switches', { scope: 'provider' }, 'value', ['local']],
  ['kill-switches', { value: 'test-a' }, 'value', ['test-a']],
])('%s by %j', async (path, query, member, found) => {
  const { data } = expectStatus(await tenant.admin.get(`/gateway/${path}`, { query }), 200).body
  expect(data.map((one: Record<string, unknown>) => one[member])).toEqual(found)
})
