/** Each fault seam in the running program: an injected fault reaches its tenant alone, and ends when it is disarmed. */
import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/kernel/db/sql.ts'
import { closeAll, listen } from '../../src/kernel/egress/testing/upstream.ts'
import type { Fault, FaultPoint, SeamName } from '../../src/kernel/faults/seams.ts'
import { addProvider, ask } from '../../src/modules/gateway/testing/support.ts'
import { openUpstream, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../support/world.ts'

let world: OwnWorld
let upstream: Upstream
let hit: TestTenant
let spared: TestTenant
let disarm = (): void => undefined

beforeAll(async () => {
  world = await openWorld({ own: true })
  upstream = await openUpstream()
  hit = await world.tenant('hit')
  spared = await world.tenant('spared')
  for (const { admin } of [hit, spared]) await addProvider(admin, 'local', upstream)
})

afterEach(() => disarm())

afterAll(async () => {
  await upstream?.close()
  await world?.close()
  await closeAll()
})

/** Arms a seam for the one tenant and returns the targets at which it was asked for it. */
function arm(seam: SeamName, fault: Fault): readonly string[] {
  const targets: string[] = []
  disarm = world.kernel.faults.arm(seam, ({ tenantId, target }: FaultPoint) => {
    if (tenantId !== hit.id) return null
    targets.push(target)
    return fault
  })
  return targets
}

test('a model call of the one tenant ends as if its provider were silent, and the provider is not asked', async () => {
  const asked = upstream.received.length
  const targets = arm('upstream', { failure: { kind: 'timeout' } })
  const refused = await ask(hit.admin, 'Hello.')
  expect([refused.status, refused.body.error_code]).toEqual([502, 'GW-012'])
  expect(targets).toEqual(['local/test-model'])
  expect(upstream.received).toHaveLength(asked)
  expectStatus(await ask(spared.admin, 'Hello.'), 200)
  disarm()
  expectStatus(await ask(hit.admin, 'Hello again.'), 200)
})

test('transactions and reads of the one tenant find no database, and change nothing', async () => {
  const people = async () => expectStatus(await hit.admin.get('/iam/users'), 200).body.meta.pagination.total_count
  const before = await people()
  const [role] = expectStatus(await hit.admin.get('/iam/roles'), 200).body.data
  const targets = arm('database', { failure: { kind: 'unavailable' } })
  const user = { type: 'service', role_ids: [role?.id], display_name: 'Seam' }
  expect((await hit.admin.post('/iam/users', user)).body.error_code).toBe('API-009')
  await expect(world.kernel.db.read(hit.id, sql`select 1`)).rejects.toThrow(/database cannot be reached/)
  expect(new Set(targets)).toEqual(new Set(['transaction', 'read']))
  expectStatus(await spared.admin.get('/iam/roles'), 200)
  disarm()
  expect(await people()).toBe(before)
})

test('values of the one tenant are missed in the cache', async () => {
  const { cache } = world.kernel
  for (const { id } of [hit, spared]) await cache.set(id, 'seam', new Uint8Array([1]), 60_000)
  const targets = arm('cache', { failure: { kind: 'unavailable' } })
  expect(await cache.get(hit.id, 'seam')).toBeUndefined()
  expect(await cache.get(spared.id, 'seam')).toEqual(new Uint8Array([1]))
  expect(targets).toEqual(['get'])
})

test('blobs of the one tenant cannot be stored', async () => {
  const { blobs } = world.kernel
  const content = async function* () {
    yield new Uint8Array([1])
  }
  const targets = arm('blob', { failure: { kind: 'unavailable' } })
  await expect(blobs.put(hit.id, content())).rejects.toThrow('An injected fault: blob unavailable')
  expect(await blobs.put(spared.id, content())).toMatchObject({ bytes: 1 })
  expect(targets).toContain('put')
})

test('an attempt of a job of the one tenant fails, and it is tried again', async () => {
  const kind = 'iam.end_expired'
  const targets = arm('job', { delayMs: 1, failure: { kind: 'server_error' } })
  for (const { id } of [hit, spared])
    await world.kernel.db.tenant({ tenantId: id }, (tx) => tx.enqueue({ kind, payload: {} }))
  const jobs = () =>
    world.kernel.db.system('test', (tx) =>
      tx.query(sql<{ tenant_id: string; status: string; error: string | null }>`
        select tenant_id, status, error from job where kind = ${kind}
        and tenant_id = any(${[hit.id, spared.id]}::uuid[]) and attempts > 0`),
    )
  const stateOf = async (tenant: TestTenant) => (await jobs()).find(({ tenant_id }) => tenant_id === tenant.id)
  await expect.poll(() => stateOf(spared), { timeout: 20_000 }).toMatchObject({ status: 'done' })
  await expect
    .poll(() => stateOf(hit), { timeout: 20_000 })
    .toMatchObject({ status: 'waiting', error: 'InjectedFault: An injected fault: job server_error' })
  expect(targets).toEqual([kind])
})

test('a message of the one tenant to a system outside is not sent, and one of another tenant is', async () => {
  const paths: string[] = []
  const port = await listen(
    createServer((request, response) => {
      paths.push(request.url ?? '')
      response.end()
    }),
  )
  const integrationOf = async ({ admin, slug }: TestTenant): Promise<string> => {
    const body = { name: 'hook', kind: 'webhook', config: { url: `http://127.0.0.1:${port}/${slug}` } }
    return expectStatus(await admin.post('/platform/integrations', body), 201).body.data.id
  }
  const ids = { hit: await integrationOf(hit), spared: await integrationOf(spared) }
  const targets = arm('http_out', { failure: { kind: 'unavailable' } })
  const send = ({ admin }: TestTenant, id: string) =>
    admin.post(`/platform/integrations/${id}/deliveries`, { kind: 'test' })
  expect((await send(hit, ids.hit)).status).not.toBe(201)
  expectStatus(await send(spared, ids.spared), 201)
  expect([paths, targets]).toEqual([['/spared'], ['platform.delivery']])
  disarm()
  expectStatus(await send(hit, ids.hit), 201)
  expect(paths).toEqual(['/spared', '/hit'])
})
