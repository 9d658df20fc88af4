/** Effects of a kill switch on running calls, and its expiry. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { expireOver } from '../../aegis/kill-switches.ts'
import type { AegisServices } from '../../aegis/service.ts'
import { heldBack } from '../testing/misbehave.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: World
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const reason = 'an exercise of the incident team'

async function newTenant(slug: string): Promise<TestTenant> {
  const tenant = await world.tenant(slug)
  await addProvider(tenant.admin, 'local', upstream)
  upstream.reply(say('Hello.'))
  return tenant
}

async function activate(tenant: TestTenant, body: object) {
  return expectStatus(await tenant.admin.post('/gateway/kill-switches', { reason, ...body }), 201).body.data
}

test.each([
  ['tenant', undefined],
  ['provider', 'local'],
  ['model', 'test-model'],
])('a switch of the scope %s that blocks new calls lets running ones end', async (scope, value) => {
  const tenant = await newTenant(`new-${scope}`)
  const { reply, release } = heldBack(say('Long work is done.'))
  upstream.reply(reply)
  const arrived = upstream.next()
  const running = ask(tenant.admin, 'long work')
  await arrived
  const before = upstream.received.length
  const made = await activate(tenant, { scope, level: 'block_new', ...(value === undefined ? {} : { value }) })
  expect(made).toMatchObject({ level: 'block_new', status: 'active', propagation: { inflight_aborted: 0 } })
  const refused = await ask(tenant.admin, 'something new')
  expect([refused.status, refused.body.error_code]).toEqual([503, 'GW-010'])
  release()
  expect(expectStatus(await running, 200).body.data.choices[0].message.content).toBe('Long work is done.')
  expect(upstream.received).toHaveLength(before)
  expect((await ask(tenant.admin, 'still blocked')).body.error_code).toBe('GW-010')
})

/** Runs the scheduled expiry as of this much later. */
async function expireLater(tenant: TestTenant, ms: number): Promise<void> {
  const { parts } = world.program.assembled.modules.servicesOf('aegis') as AegisServices
  const iso = () => new Date(Date.now() + ms).toISOString()
  await expireOver({ ...parts, kernel: { ...parts.kernel, clock: { ...parts.kernel.clock, iso } } }, tenant.id)
}

const history = async ({ admin }: TestTenant) =>
  (await admin.get('/gateway/kill-switches', { query: { status: 'any', sort: 'created_at' } })).body.data

test('a switch ends by the clock, on record and told, and what it stopped goes on', async () => {
  const tenant = await newTenant('expires')
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = await activate(tenant, { scope: 'tenant', expires_at })
  await expireLater(tenant, 3_599_000)
  expect((await ask(tenant.admin, 'too early')).body.error_code).toBe('GW-010')
  expect(await history(tenant)).toMatchObject([{ id, status: 'active', expires_at }])
  await expireLater(tenant, 3_601_000)
  expect(await history(tenant)).toMatchObject([{ id, status: 'expired', deactivated_by: null }])
  await vi.waitFor(async () => expectStatus(await ask(tenant.admin, 'on we go'), 200), { timeout: 30_000 })
  const ended = await tenant.admin.post(`/gateway/kill-switches/${id}/deactivate`, { reason })
  expect([ended.status, ended.body.error_code]).toEqual([409, 'GW-030'])
  await vi.waitFor(async () => expect(await toldOf(tenant, id)).toMatchObject([{ by: null, deactivated_by: null }]), {
    timeout: 30_000,
  })
  const entries = await world.kernel.db.read(
    tenant.id,
    sql<{ reason: string; after: { status: string } }>`
      select reason, after from audit_entry
      where action = 'kill_switch.deactivate' and target = ${`kill_switch:${id}`}`,
  )
  expect(entries).toMatchObject([{ reason: 'expired', after: { status: 'expired' } }])
  await expireLater(tenant, 3_601_000)
  expect(await toldOf(tenant, id)).toHaveLength(1)
})

test('a switch whose time is over does not stand in the way of the next one', async () => {
  const tenant = await newTenant('again')
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const first = await activate(tenant, { scope: 'model', value: 'test-model', expires_at })
  await world.kernel.db.system('test', (tx) =>
    tx.execute(sql`
      update aegis_kill_switch set expires_at = now() - interval '1 second'
      where tenant_id = ${tenant.id} and id = ${first.id}`),
  )
  const second = await activate(tenant, { scope: 'model', value: 'test-model' })
  const known = await history(tenant)
  const statusOf = (id: string) => known.find((row: { id: string }) => row.id === id)?.status
  expect([statusOf(first.id), statusOf(second.id)]).toEqual(['expired', 'active'])
  expect((await ask(tenant.admin, 'hello')).body.error_code).toBe('GW-010')
})

async function toldOf(tenant: TestTenant, id: string) {
  const rows = await world.kernel.db.system('test', (tx) =>
    tx.query(sql<{ data: object }>`
      select data from event_log
      where tenant_id = ${tenant.id} and subject = ${id} and channel = 'aegis.kill_switch.deactivated'`),
  )
  return rows.map(({ data }) => data)
}
