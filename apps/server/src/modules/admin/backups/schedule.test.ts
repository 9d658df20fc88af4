import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { asOwner, script } from '../../../kernel/db/owner.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { closeAll } from '../../../kernel/egress/testing/upstream.ts'
import { bucketKey, testBucket } from '../../../kernel/s3/testing/bucket.ts'
import { scheduleStates } from '../../../kernel/schedules/schedules.ts'
import { modules } from '../../../modules.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { armBackups, backupKey, expireOld } from './schedule.ts'

let database: TestDatabase
let world: OwnWorld
let services: AdminServices
let tenant: TestTenant

beforeAll(async () => {
  database = await openTestDatabase(schemaOf(modules))
  world = await openWorld({ database })
  services = world.program.assembled.modules.servicesOf('admin') as AdminServices
  tenant = await world.tenant('scheduled')
})
afterAll(async () => {
  await closeAll()
  await world?.close()
})
beforeEach(() => owner('delete from admin_backup; delete from schedule'))

const owner = (text: string) => asOwner(database.driver, (run) => run(script(text)))
const set = async (values: object) =>
  expectStatus(await world.operator.patch('/admin/config', { scope: 'platform', values, comment: 'Backups' }), 200)
const list = async () => expectStatus(await world.operator.get('/admin/backups'), 200).body.data
const status = async (id: string) => (await list()).find((row: { id: string }) => row.id === id)?.status

interface Row {
  readonly kind?: 'full' | 'tenant'
  readonly hoursAgo: number
  readonly status?: string
  readonly proven?: boolean
  readonly owner?: string
}

async function row({ kind = 'full', hoursAgo, status: at = 'completed', proven = false, owner: of }: Row) {
  const id = world.kernel.random.uuid()
  await owner(`insert into admin_backup (tenant_id, id, kind, target, status, created_at, updated_at, verified_at)
    values ('${of ?? world.root.id}', '${id}', '${kind}', 'local', '${at}', now() - interval '${hoursAgo} hours', now(),
      ${proven ? 'now()' : 'null'})`)
  return id
}

const missed = async () => {
  const rows = await world.kernel.db.read(
    world.root.id,
    sql<{ data: object }>`
      select data from outbox where channel = 'admin.backup.missed'
      union all select data from event_log where channel = 'admin.backup.missed'`,
  )
  return rows.length
}

const nextAt = async () => {
  const [state] = await world.kernel.db.tenant({ tenantId: world.root.id }, (tx) =>
    scheduleStates(tx, { owner: backupKey.owner, keys: [backupKey.key] }),
  )
  return state?.next_at ?? null
}

/** The backup that comes of it. */
async function dueBy(begin: () => Promise<unknown>): Promise<string> {
  const known = (await list()).map(({ id }: { id: string }) => id)
  await begin()
  const fresh = async () => (await list()).find(({ id }: { id: string }) => !known.includes(id))?.id
  await expect.poll(fresh, { timeout: 30_000 }).toBeDefined()
  return fresh()
}

/** Lets the run that is awaited have been due so many hours ago. */
const overdue = (hours: number) => () => owner(`update schedule set next_at = now() - interval '${hours} hours'`)

test('a backup is made when it is due, once, and proven where the schedule says so', async () => {
  await armBackups(services)
  expect(await nextAt()).toBeNull()
  await set({ 'backups.schedule': { every_hours: 24, verify: true } })
  await armBackups(services)
  const first = async () => (await list())[0] ?? { status: null, verified_at: null }
  await expect.poll(async () => (await first()).status, { timeout: 30_000 }).toBe('completed')
  const next = await nextAt()
  await armBackups(services)
  expect(await nextAt()).toBe(next)
  await expect.poll(async () => (await first()).verified_at, { timeout: 60_000 }).not.toBeNull()
  expect(await list()).toMatchObject([{ kind: 'full', created_by: null, progress: 1 }])
  expect(await missed()).toBe(0)
  await owner(`update admin_backup set created_at = created_at - interval '25 hours'`)
  await dueBy(overdue(0))
  expect(await missed()).toBe(0)
  await set({ 'backups.schedule': null })
  await armBackups(services)
  expect(await nextAt()).toBeNull()
})

test('one that a person asked for shortly before is that of the schedule', async () => {
  await set({ 'backups.schedule': { every_hours: 24, verify: false } })
  const own = await row({ hoursAgo: 3 })
  await armBackups(services)
  const expected = Date.now() + 21 * 3_600_000
  expect(Math.abs(Date.parse((await nextAt()) ?? '') - expected)).toBeLessThan(60_000)
  await owner(`update schedule set next_at = now()`)
  const ended = async () => {
    const jobs = await world.kernel.db.read(
      world.root.id,
      sql<{ status: string }>`select status from job where kind = 'admin.backup.due' order by created_at desc limit 1`,
    )
    return jobs[0]?.status
  }
  await expect.poll(async () => Date.parse((await nextAt()) ?? '') > expected, { timeout: 30_000 }).toBe(true)
  await expect.poll(ended, { timeout: 30_000 }).toBe('done')
  expect((await list()).map(({ id }: { id: string }) => id)).toEqual([own])
})

test('one that failed or was passed over is told of when the next is due', async () => {
  await set({ 'backups.schedule': { every_hours: 2, verify: false } })
  await row({ hoursAgo: 3, status: 'failed' })
  const before = await missed()
  await dueBy(() => armBackups(services))
  await expect.poll(missed).toBe(before + 1)
  await owner('delete from admin_backup')
  await row({ hoursAgo: 5 })
  await dueBy(overdue(3))
  await expect.poll(missed).toBe(before + 2)
})

test('what is neither among the last ones nor young enough expires, never the newest that was proven', async () => {
  const proven = await row({ hoursAgo: 24 * 40, proven: true })
  const old = await row({ hoursAgo: 24 * 30 })
  const young = await row({ hoursAgo: 24 * 3 })
  const newest = await row({ hoursAgo: 1 })
  const ofTenant = await row({ kind: 'tenant', hoursAgo: 24 * 50, owner: tenant.id })
  expect(await expireOld(world.kernel)).toBe(0)
  await set({ 'backups.retention': { keep_last: 1, keep_days: 7 } })
  expect(await expireOld(world.kernel)).toBe(1)
  expect(await Promise.all([proven, old, young, newest].map(status))).toEqual([
    'completed',
    'expired',
    'completed',
    'completed',
  ])
  expect((await tenant.admin.get('/admin/backups', { query: { id: ofTenant } })).body.data[0].status).toBe('completed')
  const query = { action: 'admin.backup.expire' }
  const { data } = expectStatus(await world.operator.get('/admin/audit-logs', { query }), 200).body
  expect(data.map(({ target }: { target: string }) => target)).toEqual([`backup:${old}`])
})

test('health tells the age of the newest proven backup and judges it by the schedule', async () => {
  const check = async () => {
    const query = { checks: 'backups', max_age_ms: '0' }
    return expectStatus(await world.operator.get('/admin/health', { query }), 200).body.data.checks.backups
  }
  await set({ 'backups.schedule': { every_hours: 24, verify: true } })
  expect((await check()).observed).toMatchObject({ every_hours: 24, newest_verified_seconds: null })
  await row({ hoursAgo: 12, proven: true })
  await expect.poll(async () => (await check()).status).toBe('pass')
  expect((await check()).observed.newest_verified_seconds).toBeGreaterThanOrEqual(12 * 3600)
  await owner(`update admin_backup set created_at = created_at - interval '90 hours'`)
  await row({ hoursAgo: 2 })
  await expect.poll(async () => (await check()).status, { timeout: 20_000 }).toBe('fail')
  await set({ 'backups.schedule': null })
  await expect.poll(async () => (await check()).status, { timeout: 20_000 }).toBe('pass')
})

test('C63 a bucket takes the backups of the schedule; its key is kept sealed and never shown, and its files expire too', async () => {
  const bucket = await testBucket()
  const { endpoint } = bucket
  expect((await world.operator.post('/admin/backups', { kind: 'full', target: 's3' })).body.error_code).toBe('ADM-011')
  await set({
    'backups.s3': { endpoint, region: 'eu-test-1', bucket: 'backups', prefix: 'parapet/' },
    'backups.s3_key': `${bucketKey.id}:anotherSecret123`,
    'backups.schedule': { every_hours: 24, verify: true },
    'backups.retention': { keep_last: 1, keep_days: null },
  })
  expect((await world.operator.post('/admin/backups', { kind: 'full', target: 's3' })).body.error_code).toBe('ADM-011')
  await set({ 'backups.s3_key': `${bucketKey.id}:${bucketKey.secret}` })
  const shown = await world.operator.get('/admin/config', { query: { prefix: 'backups', scope: 'platform' } })
  expect(shown.text).not.toContain(bucketKey.secret)
  const stored = await owner(
    `select value::text as value, sealed::text as sealed from admin_setting where key = 'backups.s3_key'`,
  )
  expect(JSON.stringify(stored)).not.toContain(bucketKey.secret)
  const first = await dueBy(() => armBackups(services))
  const proven = async () => (await list()).find((found: { id: string }) => found.id === first)
  await expect.poll(async () => (await proven())?.verified_at ?? null, { timeout: 60_000 }).not.toBeNull()
  expect(await proven()).toMatchObject({ target: 's3', status: 'completed' })
  expect([...bucket.files.keys()]).toEqual([`parapet/${first}.parapet-backup`])
  expect(bucket.files.get(`parapet/${first}.parapet-backup`)?.length).toBe((await proven()).size_bytes)
  await owner(`update admin_backup set created_at = created_at - interval '25 hours', verified_at = null`)
  const second = await dueBy(overdue(0))
  await expect.poll(() => status(second), { timeout: 30_000 }).toBe('completed')
  expect(await expireOld(world.kernel)).toBe(1)
  expect([...bucket.files.keys()]).toEqual([`parapet/${second}.parapet-backup`])
})
