import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql, together } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { insertRequests } from '../records/statements.ts'
import type { RequestRow } from '../schemas/request.ts'
import { requests } from '../schemas/tables.ts'
import type { GatewayServices } from '../services.ts'

import { ask } from '../testing/support.ts'
import { logDays, removeCallsBySetting, removeOldCalls } from './log-retention.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world?.close())

const later = (days: number): Kernel => {
  const now = () => Date.now() + days * 86_400_000
  return { ...world.kernel, clock: { ...world.kernel.clock, now, iso: () => new Date(now()).toISOString() } }
}

const remove = (days: number, { id }: TestTenant) => removeOldCalls(later(days), id, new AbortController().signal)

async function call(client: TestClient): Promise<string> {
  const { body } = await ask(client, 'the godwit flies', { model: 'echo-1' })
  return body.data.id
}

const verified = (client: TestClient, id: string) =>
  client.get(`/gateway/requests/${id}`, { query: { verify: 'true' } })

async function left({ id }: TestTenant): Promise<readonly number[]> {
  const [row] = await world.kernel.db.read(
    id,
    sql<{ calls: number; intents: number; contents: number; feedback: number }>`
      select (select count(*)::int from gateway_request) as calls,
        (select count(*)::int from gateway_request_intent) as intents,
        (select count(*)::int from gateway_request_payload) as contents,
        (select count(*)::int from gateway_feedback) as feedback`,
  )
  return row === undefined ? [] : [row.calls, row.intents, row.contents, row.feedback]
}

test('C66 calls stay for their days and go with all that belongs to them; the chain goes on verifying and says why', async () => {
  const tenant = await world.tenant('log-days')
  const other = await world.tenant('log-days-other')
  const id = await call(tenant.admin)
  await call(other.admin)
  expectStatus(await tenant.admin.post(`/gateway/requests/${id}/feedback`, { kind: 'answer', rating: 1 }), 201)
  const verification = async () => (await verified(tenant.admin, id)).body.data.verification
  await expect.poll(verification).toMatchObject({ ok: true, sealed: true })
  const { seq, hash } = (await verified(tenant.admin, id)).body.data.verification

  await remove(logDays - 1, tenant)
  expect(await left(tenant)).toEqual([1, 1, 1, 1])
  await remove(logDays + 1, tenant)
  expect(await left(tenant)).toEqual([0, 0, 0, 0])
  expect(await left(other)).toEqual([1, 1, 1, 0])

  const gone = await verified(tenant.admin, id)
  expect([gone.status, gone.body.error_code]).toEqual([404, 'API-013'])
  expect(gone.body).toMatchObject({
    verification: { ok: true, sealed: true, seq, hash },
    removal: { reason: 'retention' },
  })
  expect((await world.kernel.chain.verify(tenant.id, { toSeq: seq })).verified).toBe(true)
  const announced = await world.kernel.db.read(
    tenant.id,
    sql<{ after: object; reason: string }>`
      select after, reason from audit_entry where action = 'gateway.requests.remove'`,
  )
  expect(announced).toEqual([{ after: { removed_before: expect.any(String), calls: 1 }, reason: 'retention' }])
})

test('what was removed is told to who could have read it, and only when its place in the chain is asked for', async () => {
  const tenant = await world.tenant('log-told')
  const other = await world.tenant('log-told-other')
  const engineer = await tenant.as('ai_engineer')
  const [theirs, mine] = [await call(tenant.admin), await call(engineer)]
  await remove(logDays + 1, tenant)
  await remove(logDays + 1, other)
  const isTold = async (client: TestClient, id: string) => 'removal' in (await verified(client, id)).body
  expect(await isTold(engineer, mine)).toBe(true)
  expect(await isTold(await tenant.as('auditor'), theirs)).toBe(true)
  expect(await isTold(engineer, theirs)).toBe(false)
  expect(await isTold(other.admin, theirs)).toBe(false)
  expect(await isTold(tenant.admin, world.kernel.random.uuid())).toBe(false)
  expect((await tenant.admin.get(`/gateway/requests/${theirs}`)).body).not.toHaveProperty('removal')
})

test('a row that somebody took out of the log is not said to be removed by retention', async () => {
  const tenant = await world.tenant('log-taken')
  const id = await call(tenant.admin)
  await world.kernel.db.system('test', (tx) => tx.execute(sql`delete from gateway_request where id = ${id}`))
  await world.kernel.db.system('test', (tx) => tx.execute(sql`delete from gateway_request_intent where id = ${id}`))
  const answer = await verified(tenant.admin, id)
  expect(answer.status).toBe(404)
  expect(answer.body).not.toHaveProperty('removal')
})

test('more calls than a slice holds go in one run', async () => {
  const tenant = await world.tenant('log-many')
  await call(tenant.admin)
  const [first] = await world.kernel.db.read(
    tenant.id,
    sql<RequestRow>`select ${requests.columns} from gateway_request limit 1`,
  )
  if (first === undefined) throw new Error('there is no call')
  const copies = Array.from({ length: 2300 }, (_, n) => {
    const id = world.kernel.random.uuid()
    return { ...first, id, request_id: `req_${n}` }
  })
  const fresh = { ...first, id: world.kernel.random.uuid(), created_at: '2099-01-01T00:00:00.000Z' }
  await world.kernel.db.append([together([insertRequests([...copies, fresh])])])
  await remove(logDays + 1, tenant)
  expect((await left(tenant))[0]).toBe(1)
})

test('C61 the application itself can remove nothing from the log', async () => {
  const tenant = await world.tenant('log-kept')
  await call(tenant.admin)
  const removal = world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.execute(sql`delete from gateway_request`))
  await expect(removal).rejects.toThrow()
})

test('a quota of days bounds what the tenant has set', async () => {
  const tenant = await world.tenant('log-quota')
  await call(tenant.admin)
  const path = `/iam/tenants/${tenant.id}`
  expect((await tenant.admin.patch(path, { quotas: { retention_days: 3650 } })).body.error_code).toBe('IAM-011')
  await world.setQuotas(tenant, { retention_days: 60 })
  const { iam } = world.program.assembled.modules.servicesOf('gateway') as GatewayServices
  const round = (days: number) =>
    removeCallsBySetting({ kernel: later(days), iam }, tenant.id, new AbortController().signal)
  await round(59)
  expect(await left(tenant)).toEqual([1, 1, 1, 0])
  await round(61)
  expect(await left(tenant)).toEqual([0, 0, 0, 0])
})

test('C61 a legal hold on the calls of a person keeps them and their content, and no others', async () => {
  const tenant = await world.tenant('log-held')
  const engineer = await tenant.as('ai_engineer')
  await call(tenant.admin)
  const held = await call(engineer)
  const { holds } = world.kernel.dataRegistry
  const userId = (await tenant.admin.get(`/gateway/requests/${held}`)).body.data.user_id
  const within = <T>(work: (tx: Tx) => Promise<T>) => world.kernel.db.tenant({ tenantId: tenant.id }, work)
  const hold = await within((tx) => holds.place(tx, { matter: 'A dispute', subject: { userIds: [userId] } }))
  await remove(logDays + 1, tenant)
  expect(await left(tenant)).toEqual([1, 1, 1, 0])
  expect((await tenant.admin.get(`/gateway/requests/${held}`)).status).toBe(200)
  await within((tx) => holds.release(tx, hold.id))
  await remove(logDays + 1, tenant)
  expect(await left(tenant)).toEqual([0, 0, 0, 0])
})
