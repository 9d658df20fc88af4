import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'
import { deleteTenant } from './deletion.ts'

let world: OwnWorld
beforeAll(async () => {
  world = await openWorld({ own: true })
})
afterAll(() => world.close())

const code = (answer: TestAnswer) => [answer.status, answer.body.error_code]
const remove = (client: TestClient, { id, slug }: TestTenant) =>
  client.delete(`/iam/tenants/${id}`, { query: { confirm_slug: slug, grace_days: '1' } })
const statusOf = async ({ id }: TestTenant) => (await world.operator.get(`/iam/tenants/${id}`)).body.data.status

const held = { reason: 'A dispute' }
async function hold(client: TestClient, value: object | null, scope?: 'platform'): Promise<void> {
  const values = { 'audit.legal_hold': value }
  const body = { values, comment: 'Hold', ...(scope === undefined ? {} : { scope }) }
  expectStatus(await client.patch('/admin/config', body), 200)
}

test('C61 a tenant is not deleted while its own legal hold or that of the platform is on', async () => {
  const tenant = await world.tenant('held')
  await hold(tenant.admin, held)
  for (const client of [tenant.admin, world.operator])
    expect(code(await remove(client, tenant))).toEqual([409, 'IAM-020'])
  await hold(tenant.admin, null)
  await hold(world.operator, held, 'platform')
  expect(code(await remove(tenant.admin, tenant))).toEqual([409, 'IAM-020'])
  expect(await statusOf(tenant)).toBe('active')
  const asked = await world.kernel.db.read(tenant.id, sql`select 1 from audit_entry where action = 'iam.tenant.delete'`)
  expect(asked).toEqual([])
  await hold(world.operator, null, 'platform')
  expectStatus(await remove(tenant.admin, tenant), 200)
})

test('C61 a deletion that is due waits for the end of a hold, and is asked about again', async () => {
  const tenant = await world.tenant('held-later')
  expectStatus(await remove(tenant.admin, tenant), 200)
  await hold(world.operator, held, 'platform')
  const services = world.program.assembled.modules.servicesOf('iam') as IamServices
  const at = Date.now() + 2 * 86_400_000
  const clock = { ...world.kernel.clock, now: () => at, iso: () => new Date(at).toISOString() }
  const later = { ...services, kernel: { ...services.kernel, clock } }
  const never = new AbortController().signal
  await world.kernel.db.system('test', (tx) => tx.execute(sql`delete from job where tenant_id = ${tenant.id}`))
  await deleteTenant(later, tenant.id, never)
  expect(await statusOf(tenant)).toBe('pending_deletion')
  const jobs = await world.kernel.db.read(
    tenant.id,
    sql<{ run_at: string }>`select run_at from job where kind = 'iam.tenant.delete' and status = 'waiting'`,
  )
  expect(jobs.map(({ run_at }) => Date.parse(run_at) > at)).toEqual([true])
  expect((await tenant.admin.get('/iam/users')).status).toBe(200)
  await hold(world.operator, null, 'platform')
  await deleteTenant(later, tenant.id, never)
  expect((await tenant.admin.get('/iam/users')).status).toBe(401)
})
