import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { isAvailable, openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { createBackups } from '../../../kernel/backup/backups.ts'
import { readBackup } from '../../../kernel/backup/file.ts'
import { loadBackup } from '../../../kernel/backup/load.ts'
import { pathOf, readFile as readBytes } from '../../../kernel/backup/store.ts'
import { swapIn } from '../../../kernel/backup/swap.ts'
import { systemClock } from '../../../kernel/base/clock.ts'
import { createRandom } from '../../../kernel/crypto/random.ts'
import { createKeyWrap } from '../../../kernel/crypto/wrapping.ts'
import { asOwner, script } from '../../../kernel/db/owner.ts'
import type { Database, Driver } from '../../../kernel/db/port.ts'
import { readCatalog } from '../../../kernel/db/schema/catalog.ts'
import { differences } from '../../../kernel/db/schema/catalog-check.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { modules } from '../../../modules.ts'

const schema = schemaOf(modules)
const kek = crypto.getRandomValues(new Uint8Array(32))
const wrap = createKeyWrap(kek, createRandom(Date.now))

let database: TestDatabase
let world: OwnWorld
let tenant: TestTenant
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-backups-'))
  database = await openTestDatabase(schema)
  world = await openWorld({
    database,
    environment: {
      PARAPET_BACKUP_DIR: folder,
      PARAPET_KEY_ENCRYPTION_KEY: Buffer.from(kek).toString('base64'),
      PARAPET_LOG_LEVEL: 'silent',
    },
  })
  tenant = await world.tenant('backups')
  const chat = { model: 'echo-1', messages: [{ role: 'user', content: 'the heron waits' }] }
  expectStatus(await tenant.admin.post('/gateway/chat/completions', chat), 200)
  expectStatus(await tenant.admin.post('/iam/roles', { name: 'Ünïcode "\\', permissions: ['trust:read'] }), 201)
})

afterAll(async () => {
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

const told = (answer: TestAnswer) => [answer.status, answer.body?.error_code]
const read = async (client: TestClient, id: string) =>
  expectStatus(await client.get('/admin/backups', { query: { id } }), 200).body.data[0]

async function made(client: TestClient, body: object): Promise<Record<string, unknown> & { id: string }> {
  const { id } = expectStatus(await client.post('/admin/backups', body), 201).body.data
  await expect.poll(async () => (await read(client, id)).status, { timeout: 30_000 }).toBe('completed')
  return read(client, id)
}

async function verdict(client: TestClient, id: string): Promise<Record<string, unknown>> {
  const job = expectStatus(await client.post(`/admin/backups/${id}/restore`, { mode: 'verify' }), 201).body.data
  const state = async () => (await client.get('/admin/jobs', { query: { id: job.id } })).body.data[0]
  await expect.poll(async () => (await state()).status, { timeout: 60_000 }).toBe('completed')
  return (await state()).result
}

/** One digest for each table, whatever the order of its rows and its pages. */
async function digests(driver: Driver): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const table of schema.tables) {
    const columns = Object.keys(table.row.properties).filter((name) => name !== 'xid')
    const row = columns.map((name) => `coalesce(${name}::text, '~')`).join(` || '|' || `)
    const [answer] = await asOwner(driver, (run) =>
      run(
        script(
          `select count(*) || ' ' || coalesce(md5(string_agg(md5(${row}), '' order by md5(${row}))), '-') as digest from ${table.name}`,
        ),
      ),
    )
    found.set(table.name, String(answer?.digest))
  }
  return found
}

/** Tables that people write and background work does not, because that work continues while a backup is compared. */
const settled = [
  'iam_user',
  'iam_role',
  'iam_tenant',
  'tenant_data_key',
  'signing_key',
  'gateway_provider',
  'gateway_policy',
]

async function restored(into: TestDatabase, id: string): Promise<ReadonlyMap<string, string>> {
  const lines = readBackup(wrap, readBytes(pathOf(folder, id)))
  const { preface, manifest } = await loadBackup({ driver: into.driver, schema, clock: systemClock(), lines })
  expect(preface.backup).toBe(id)
  const found = await digests(into.driver)
  const counts = [...found].map(([name, digest]) => [name, Number(digest.split(' ')[0])])
  expect(manifest.parts.map(({ table, rows }) => [table, rows])).toEqual(counts)
  return found
}

/** Tables that the program's own work changes: leases and the numbers it assigns. */
const restless = new Set(['job', 'handler_position', 'event_head', 'event_position'])

/** Damages one database and puts the other one in its place. */
async function expectSwapped(from: TestDatabase, into: TestDatabase, whole: ReadonlyMap<string, string>) {
  await asOwner(into.driver, (run) =>
    run(
      script(
        `delete from iam_user_role; update iam_role set name = 'Broken ' || id; delete from gateway_policy_version`,
      ),
    ),
  )
  expect((await digests(into.driver)).get('iam_role')).not.toBe(whole.get('iam_role'))
  const swap = { tables: schema.tables, recorders: noRecords, chainsOfBackup: [], jobId: world.kernel.random.uuid() }
  const seen: unknown[] = []
  const conclude = async (db: Database) => {
    seen.push(
      await db.tenant({ tenantId: tenant.id }, (tx) => tx.first(sql`select count(*)::int as count from iam_role`)),
    )
  }
  await swapIn({ ...swap, from: from.driver, into: into.driver, conclude })
  const [after, settledTables] = [await digests(into.driver), schema.tables.filter(({ name }) => !restless.has(name))]
  for (const { name } of settledTables) expect([name, after.get(name)]).toEqual([name, whole.get(name)])
  expect(seen).toEqual([{ count: expect.any(Number) }])
  const check = await asOwner(into.driver, async (run) => differences(schema.tables, await readCatalog(run)))
  expect(check).toEqual([])
}

const noRecord = () => sql`select 1`
const noRecords = {
  audit: noRecord,
  event: noRecord,
  job: noRecord,
  cancel: noRecord,
  cancelled: noRecord,
  change: noRecord,
}

describe('a backup of everything', () => {
  test('restored elsewhere is what was there, and so is a backup of that', async () => {
    const empty = { tables: [], migrations: [] }
    const [first, second] = [
      await openTestDatabase(empty, (await isAvailable('pg')) ? 'pg' : 'pglite'),
      await openTestDatabase(empty, 'pglite'),
    ]
    try {
      const { id } = await made(world.operator, { kind: 'full' })
      const before = await digests(database.driver)
      const there = await restored(first, id)
      for (const name of settled) expect([name, there.get(name)]).toEqual([name, before.get(name)])
      const { clock, random, signingKeys: keys, chain, egress } = world.kernel
      const own = {
        driver: first.driver,
        schema,
        folder,
        scratch: join(folder, 'scratch'),
        mostInMemory: 0,
        kek,
        nextKek: null,
        recorders: noRecords,
        replaced: () => undefined,
      }
      const parts = { ...own, clock, random, keys, chain, egress }
      const again = random.uuid()
      const signal = new AbortController().signal
      await createBackups(parts)
        .at(null)
        .create({ id: again, tenantId: null, signal, done: () => undefined })
      expect(await restored(second, again)).toEqual(there)
      await expect(restored(second, again)).rejects.toThrow('not empty')
      // Too large for memory here, so its database is a folder while it is looked at.
      expect((await createBackups(parts).at(null).verify(again)).tables).toBe(schema.tables.length)
      expect(await readdir(join(folder, 'scratch'))).toEqual([])
      await expectSwapped(first, second, there)
      await expectSwapped(second, first, there)
    } finally {
      await first.close()
      await second.close()
    }
  })

  test('is proven by a restore, which is told', async () => {
    const row = await made(world.operator, { kind: 'full', verify: true })
    expect(row).toMatchObject({ encrypted: true, failure: null, schema_version: schema.migrations.at(-1)?.id })
    await expect.poll(async () => (await read(world.operator, row.id)).verified_at, { timeout: 60_000 }).not.toBeNull()
    const { meta } = expectStatus(await world.operator.get('/admin/backups'), 200).body
    expect(meta.newest_verified_age_seconds).toBeGreaterThanOrEqual(0)
    const query = { action: 'admin.backup.', sort: 'at' }
    const { data } = expectStatus(await world.operator.get('/admin/audit-logs', { query }), 200).body
    const entries = data.filter(({ target }: { target: string }) => target === `backup:${row.id}`)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'admin.backup.create',
      'admin.backup.complete',
      'admin.backup.verify',
    ])
    expect(entries.at(-1).after).toMatchObject({ verified: true, rows: row.rows })
  })

  test('is one at a time', async () => {
    const answers = await Promise.all([1, 2].map(() => world.operator.post('/admin/backups', { kind: 'full' })))
    expect(answers.map(told).sort()).toEqual([
      [201, undefined],
      [409, 'ADM-010'],
    ])
    const started = answers.find(({ status }) => status === 201)?.body.data.id
    await expect.poll(async () => (await read(world.operator, started)).status, { timeout: 30_000 }).toBe('completed')
  })

  test('C64 says nothing without its key, and holds no key-encryption key', async () => {
    const { id } = await made(world.operator, { kind: 'full' })
    const bytes = await readFile(pathOf(folder, id))
    for (const word of ['heron', 'operator@root.example', Buffer.from(kek).toString('base64')])
      expect(bytes.includes(word)).toBe(false)
    const other = createKeyWrap(crypto.getRandomValues(new Uint8Array(32)), createRandom(Date.now))
    await expect(readBackup(other, readBytes(pathOf(folder, id))).next()).rejects.toThrow('another key-encryption key')
    const text: string[] = []
    for await (const one of readBackup(wrap, readBytes(pathOf(folder, id)))) text.push(one)
    expect(text.join('\n')).toContain('operator@root.example')
    expect(text.join('\n')).not.toContain(Buffer.from(kek).toString('base64'))
    expect(text.join('\n')).not.toContain(Buffer.from(kek).toString('hex'))
  })
})

describe('a backup of a tenant', () => {
  test('C10 holds its rows and nobody else’s', async () => {
    const other = await world.tenant('backups-other')
    const row = await made(tenant.admin, { kind: 'tenant' })
    const text: string[] = []
    for await (const one of readBackup(wrap, readBytes(pathOf(folder, row.id)))) text.push(one)
    expect(text.join('\n')).toContain('admin@backups.example')
    for (const foreign of [other.id, 'backups-other', 'operator@root.example', world.root.id].slice(0, 3))
      expect(text.join('\n')).not.toContain(foreign)
    expect(await verdict(tenant.admin, row.id)).toMatchObject({ verified: true, check: null, chains: 1 })
    expect(await read(other.admin, row.id)).toBeUndefined()
    expect(told(await other.admin.post(`/admin/backups/${row.id}/restore`, { mode: 'verify' }))).toEqual([
      404,
      'API-013',
    ])
    expect(told(await tenant.admin.post('/admin/backups', { kind: 'full' }))).toEqual([403, 'AUTH-004'])
  })

  test('C64 that was changed or lost is found, and told with the check', async () => {
    const { id } = await made(tenant.admin, { kind: 'tenant' })
    const path = pathOf(folder, id)
    const bytes = await readFile(path)
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(bytes.length - 500) ^ 1, bytes.length - 500)
    await writeFile(path, changed)
    expect(await verdict(tenant.admin, id)).toMatchObject({ verified: false, check: 'file' })
    expect(await read(tenant.admin, id)).toMatchObject({
      verified_at: null,
      failure: 'The backup failed its check of file.',
    })
    await writeFile(path, bytes.subarray(0, -1))
    expect(told(await tenant.admin.post(`/admin/backups/${id}/restore`, { mode: 'verify' }))).toEqual([422, 'ADM-012'])
    await rm(path)
    expect(told(await tenant.admin.post(`/admin/backups/${id}/restore`, { mode: 'verify' }))).toEqual([422, 'ADM-012'])
  })
})
