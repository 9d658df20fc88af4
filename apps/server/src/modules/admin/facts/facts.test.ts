import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('admin-facts')
})
afterAll(() => world?.close())

const read = (name: string) => readFact(world, tenant.id, name)
const ago = (seconds: number): string => new Date(world.kernel.clock.now() - seconds * 1000).toISOString()

test('the audit chain is unverified until somebody verifies the whole of it', async () => {
  const { admin } = tenant
  const chain = () => read('admin.audit_chain')
  await expect.poll(async () => (await chain()).pending).toBe(0)
  const { sealed, ...before } = await chain()
  expect(sealed).toBeGreaterThan(0)
  expect(before).toMatchObject({ verified: null, verified_at: null, reason: null })
  expectStatus(await admin.post('/admin/audit-logs/verify', { from_seq: 1, to_seq: 1 }), 200)
  expect((await chain()).verified).toBeNull()
  expectStatus(await admin.post('/admin/audit-logs/verify', {}), 200)
  expect(await chain()).toMatchObject({ verified: true, reason: null, verified_at: expect.any(String) })
})

test('a fault that a verification found stays until a verification finds none', async () => {
  const after = { verified: false, reason: 'gap', checkpoints: 0 }
  await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.audit('admin.audit.verify', { target: `audit_log:${tenant.id}`, after, result: 'failed' }),
  )
  expect(await read('admin.audit_chain')).toMatchObject({ verified: false, reason: 'gap' })
})

test('the age of backups is that of the newest, and of the newest that was proven', async () => {
  const unknown = { newest_seconds: null, newest_verified_seconds: null, verified_interval_seconds: null }
  const none = { ...unknown, failed_last_30_days: 0 }
  expect(await read('admin.backups')).toEqual(none)
  const add = (status: string, begun: number, verified: string | null) =>
    world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`
        insert into admin_backup (id, kind, target, status, progress, verified_at, created_at, updated_at)
        values (${world.kernel.random.uuid()}, 'tenant', 'local', ${status}, 1, ${verified}, ${ago(begun)}, ${ago(begun)})`),
    )
  await add('completed', 7200, ago(7000))
  await add('completed', 3600, null)
  await add('failed', 60, null)
  await add('failed', 40 * 86_400, null)
  const { newest_seconds, newest_verified_seconds, failed_last_30_days } = await read('admin.backups')
  expect(failed_last_30_days).toBe(1)
  expect(newest_seconds).toBeGreaterThanOrEqual(3600)
  expect(newest_seconds).toBeLessThan(7200)
  expect(newest_verified_seconds).toBeGreaterThanOrEqual(7200)
  expect((await read('admin.backups')).verified_interval_seconds).toBeNull()
  await add('completed', 10_800, ago(10_000))
  expect((await read('admin.backups')).verified_interval_seconds).toBe(3600)
})

test('settings are told with where they come from', async () => {
  const stale = async () => {
    const { settings } = (await read('admin.settings')) as { settings: { key: string }[] }
    return settings.find(({ key }) => key === 'flags.stale_days')
  }
  expect(await stale()).toMatchObject({ source: 'default', secret: false })
  const body = { values: { 'flags.stale_days': 61 }, comment: 'Shorter' }
  expectStatus(await tenant.admin.patch('/admin/config', body), 200)
  await expect.poll(stale).toEqual({ key: 'flags.stale_days', value: 61, source: 'tenant', secret: false })
})
