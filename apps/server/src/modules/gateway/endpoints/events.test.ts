/** Events of providers and kill switches; calls, policies, money, the vault and exports have their own tests. */
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { gatewayEvents } from '../events.ts'
import { eventually } from '../testing/money.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant
let provider: { readonly id: string }

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
  tenant = await world.tenant('events')
  provider = await addProvider(tenant.admin, 'local', upstream)
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

interface Told {
  readonly channel: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The events of these channels, once there are `count` of them. */
function told(channels: readonly string[], count: number): Promise<readonly Told[]> {
  return eventually(
    () =>
      world.kernel.db.system('test', (tx) =>
        tx.query(
          sql<Told>`
            select channel, data from event_log
            where channel = any(${channels}::text[]) and data ->> 'tenant_id' = ${tenant.id} order by position`,
        ),
      ),
    (found) => found.length >= count,
  )
}

function expectForm({ channel, data: { tenant_id: _, ...data } }: Told): void {
  const declared = gatewayEvents.find((event) => event.channel === channel)
  expect(declared === undefined ? ['not declared'] : [...Value.Errors(declared.schema, data)]).toEqual([])
}

test('a provider that refuses its key is degraded, and recovered when it answers', async () => {
  expectStatus(await ask(tenant.admin, 'once'), 200)
  upstream.reply(fail(401), say('Hello.'))
  expect((await ask(tenant.admin, 'twice')).body.error_code).toBe('GW-015')
  await told(['gateway.provider.degraded'], 1)
  expectStatus(await ask(tenant.admin, 'again'), 200)
  const found = await told(['gateway.provider.degraded', 'gateway.provider.recovered'], 2)
  expect(found.map(({ channel, data }) => [channel, data.provider_id, data.state, data.reason])).toEqual([
    ['gateway.provider.degraded', provider.id, 'degraded', 'credential refused'],
    ['gateway.provider.recovered', provider.id, 'healthy', null],
  ])
  found.forEach(expectForm)
})

test('a key that was rotated is told without the key', async () => {
  const value = 'sk-new-0123456789abcdef00'
  const body = { key_id: 'main', value, skip_test: true }
  expectStatus(await tenant.admin.post(`/gateway/providers/${provider.id}/rotate-secret`, body), 200)
  const [rotated] = await told(['gateway.secret.rotated'], 1)
  expect(rotated?.data).toMatchObject({ provider_id: provider.id, key_id: 'main', version: 2 })
  expect(JSON.stringify(rotated)).not.toContain(value)
  if (rotated !== undefined) expectForm(rotated)
})

test('a kill switch is told when it begins and when it ends, with who did it and why', async () => {
  const reason = 'an exercise of the incident team'
  const given = { scope: 'model', value: 'test-model', reason }
  const made = expectStatus(await tenant.admin.post('/gateway/kill-switches', given), 201).body.data
  expectStatus(await tenant.admin.post(`/gateway/kill-switches/${made.id}/deactivate`, { reason }), 200)
  const found = await told(['gateway.kill_switch.activated', 'gateway.kill_switch.deactivated'], 2)
  expect(found.map(({ channel, data }) => [channel, data.kill_switch_id])).toEqual([
    ['gateway.kill_switch.activated', made.id],
    ['gateway.kill_switch.deactivated', made.id],
  ])
  for (const one of found) {
    expect(one.data).toMatchObject({ ...given, level: 'hard', source: 'gateway', by: expect.any(String) })
    expectForm(one)
  }
})
