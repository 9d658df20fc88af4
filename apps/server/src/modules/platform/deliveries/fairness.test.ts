/** Deliveries of one receiver, or of one tenant, never keep those of others waiting. */
import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { closeAll, listen } from '../../../kernel/egress/testing/upstream.ts'
import { reportCompleted } from '../reports/events.ts'

let world: OwnWorld
let url: string
/** Requests of receivers that answer when they are told to. */
const held = new Map<string, ServerResponse[]>()
const arrived: string[] = []

beforeAll(async () => {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    request.resume()
    arrived.push(path)
    if (!path.startsWith('/slow')) return void response.end()
    held.set(path, [...(held.get(path) ?? []), response])
  })
  url = `http://127.0.0.1:${await listen(server)}`
  // Its slots are counted.
  world = await openWorld({ own: true })
})
afterAll(async () => {
  for (const response of [...held.values()].flat()) response.end()
  await world?.close()
  await closeAll()
})

const patience = { timeout: 30_000 }
const count = (path: string): number => arrived.filter((one) => one === path).length

async function receiver({ admin }: TestTenant, name: string): Promise<string> {
  const body = { name, kind: 'webhook', config: { url: `${url}/${name}` }, events: ['platform.report.completed'] }
  return expectStatus(await admin.post('/platform/integrations', body), 201).body.data.id
}

/** Events at once, as a burst of a tenant. */
const happen = ({ id: tenantId, kernel }: TestTenant, times: number) =>
  kernel.db.tenant({ tenantId }, async (tx) => {
    for (let n = 0; n < times; n += 1) {
      const id = kernel.random.uuid()
      await tx.emit(reportCompleted, id, {
        ...{ report_id: id, kind: 'trust', formats: ['json'], sha256: ['0'.repeat(64)], created_by: id },
      })
    }
  })

test('a receiver that does not answer holds few places, and all others are served meanwhile', async () => {
  const [loud, other] = [await world.tenant('fair-loud'), await world.tenant('fair-other')]
  const slow = await receiver(loud, 'slow-1')
  await receiver(loud, 'quick-1')
  await receiver(other, 'quick-2')
  await happen(loud, 30)
  await expect.poll(() => count('/slow-1'), patience).toBe(4)
  // While nothing of the slow one has been answered, the same tenant's other receiver has all of its own.
  await expect.poll(() => count('/quick-1'), patience).toBe(30)
  await happen(other, 3)
  await expect.poll(() => count('/quick-2'), patience).toBe(3)
  expect(count('/slow-1')).toBe(4)
  const [jobs] = await world.kernel.db.read(
    loud.id,
    sql<{ waiting: number }>`
      select count(*)::int as waiting from job where kind = 'platform.delivery' and status = 'waiting'`,
  )
  // A burst is rows, and no queue of jobs that others would stand behind: one for each receiver.
  expect(jobs?.waiting).toBeLessThanOrEqual(2)
  const answered = async () => {
    for (const response of held.get('/slow-1')?.splice(0) ?? []) response.end()
    return count('/slow-1')
  }
  await expect.poll(answered, patience).toBe(30)
  const open = async () =>
    (await loud.admin.get(`/platform/integrations/${slow}/deliveries`, { query: { status: 'delivered' } })).body.meta
      .pagination.total_count
  await expect.poll(open, patience).toBe(30)
})

test('receivers that do not answer take no slot of other work', async () => {
  const tenant = await world.tenant('fair-slots')
  for (const name of ['slow-a', 'slow-b', 'slow-c']) await receiver(tenant, name)
  await happen(tenant, 5)
  for (const name of ['slow-a', 'slow-b', 'slow-c'])
    await expect.poll(() => count(`/${name}`), patience).toBeGreaterThan(3)
  const report = { kind: 'trust', formats: ['json'] }
  const { id } = expectStatus(await tenant.admin.post('/platform/reports', report), 201).body.data
  const status = async () => (await tenant.admin.get(`/platform/reports/${id}`)).body.data.status
  await expect.poll(status, patience).toBe('completed')
  // A job of the quick lane: a workflow whose runs begin.
  const definition = { trigger: { type: 'manual' }, steps: [{ id: 'a', type: 'set', with: { values: { x: '1' } } }] }
  const workflow = expectStatus(
    await tenant.admin.post('/platform/workflows', { key: 'fair', name: 'Fair', definition }),
    201,
  ).body.data
  expectStatus(await tenant.admin.post(`/platform/workflows/${workflow.id}/runs`, {}), 201)
  const run = async () => (await tenant.admin.get(`/platform/workflows/${workflow.id}/runs`)).body.data[0].status
  await expect.poll(run, patience).toBe('completed')
  for (const name of ['slow-a', 'slow-b', 'slow-c'])
    expect([name, held.get(`/${name}`)?.length]).toEqual([name, count(`/${name}`)])
})
