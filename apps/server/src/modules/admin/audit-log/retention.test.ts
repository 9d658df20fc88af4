import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { signCheckpoint } from '../../../kernel/audit/note.ts'
import { untilSealed } from '../../../kernel/audit/testing/seals.ts'
import { asOwner, script } from '../../../kernel/db/owner.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { modules } from '../../../modules.ts'
import { removeOldEntries } from './retention.ts'

let database: TestDatabase
let world: OwnWorld
let folder: string
let n = 0

beforeAll(async () => {
  database = await openTestDatabase(schemaOf(modules))
  folder = await mkdtemp(join(tmpdir(), 'parapet-retention-'))
  world = await openWorld({ database, environment: { PARAPET_CHECKPOINT_DIR: join(folder, 'checkpoints') } })
})
// The daily jobs run at their own time too: cases begin without an age and look at what is there in the end.
beforeEach(() => set({ 'audit.retention_days': null, 'audit.legal_hold': null }))
afterAll(async () => {
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

const change = (values: object) =>
  world.operator.patch('/admin/config', { scope: 'platform', values, comment: 'Retention' })
const set = async (values: object): Promise<void> => void expectStatus(await change(values), 200)
const tamper = (text: string): Promise<unknown> => asOwner(database.driver, (run) => run(script(text)))
const signal = AbortSignal.timeout(600_000)
const remove = ({ id }: Pick<TestTenant, 'id'>) => removeOldEntries(world.kernel, { tenantId: id, signal })

/** A tenant whose log so far was sealed, and signed, 367 days ago; answers its size then. */
async function aged(tenant?: Pick<TestTenant, 'id'>): Promise<{ tenant: TestTenant; size: number }> {
  n += 1
  const made = tenant === undefined ? await world.tenant(`old-${n}`) : (tenant as TestTenant)
  await untilSealed(world, made.id)
  const { kernel } = world
  const { size, hash } = await kernel.chain.head(made.id)
  const facts = { tenantId: made.id, size, headHash: hash, at: kernel.clock.iso() }
  const { note } = await signCheckpoint(kernel.signingKeys, facts)
  await kernel.db.tenant({ tenantId: made.id }, (tx) =>
    tx.execute(sql`
      insert into audit_checkpoint (tenant_id, id, size, head_hash, note, at)
      values (${made.id}, ${kernel.random.uuid()}, ${size}, ${hash}, ${note}, ${facts.at})`),
  )
  await tamper(`update audit_seal set sealed_at = sealed_at - interval '367 days'
    where tenant_id = '${made.id}' and seq <= ${size}`)
  return { tenant: made, size }
}

async function removedTo(tenant: Pick<TestTenant, 'id'>, size: number): Promise<void> {
  expect((await remove(tenant))?.fault).toBeNull()
  expect((await world.kernel.chain.beginning(tenant.id))?.size).toBe(size)
  const left = sql<{ seq: number }>`
    select s.seq from audit_seal s where s.seq <= ${size} order by s.seq`
  await expect.poll(() => world.kernel.db.read(tenant.id, left)).toEqual([{ seq: size }])
}

const entries = async ({ admin }: TestTenant, query: Record<string, string> = {}) =>
  expectStatus(await admin.get('/admin/audit-logs', { query }), 200).body.data
const verify = async ({ admin }: TestTenant, body: object = {}) => admin.post('/admin/audit-logs/verify', body)

test('C61 what is older than the installation keeps goes, and the rest verifies here and by the script', async () => {
  const { tenant, size } = await aged()
  await set({ 'audit.retention_days': 366 })
  await removedTo(tenant, size)
  await untilSealed(world, tenant.id)
  const told = await entries(tenant, { action: 'admin.audit.cut' })
  expect(told).toMatchObject([{ actor_kind: 'system', after: { removed_to_seq: size } }])
  expect((await entries(tenant)).map(({ seq }: { seq: number }) => seq)).not.toContain(1)

  const verdict = expectStatus(await verify(tenant), 200).body.data
  expect(verdict).toMatchObject({ verified: true, reason: null, cut: { size } })
  const gone = await verify(tenant, { to_seq: size })
  expect([gone.status, gone.body?.error_code]).toEqual([400, 'API-001'])

  const accept = 'application/x-ndjson'
  const { text } = expectStatus(await tenant.admin.get('/admin/audit-logs', { headers: { accept } }), 200)
  const place = (name: string) => join(folder, `${tenant.id}-${name}`)
  await writeFile(place('export'), text)
  await writeFile(place('keys'), JSON.stringify(verdict.checkpoint_keys))
  await writeFile(place('cut'), verdict.cut.note)
  const offline = async (...args: string[]) => {
    const all = ['scripts/verify-audit.mjs', place('export'), '--keys', place('keys'), ...args]
    const outcome = await promisify(execFile)(process.execPath, all).catch((error: { stdout: string }) => error)
    return JSON.parse(outcome.stdout)
  }
  expect(await offline('--cut', place('cut'))).toMatchObject({ verified: true, reason: null })
  expect(await offline('--checkpoint', join(folder, 'checkpoints', tenant.id))).toMatchObject({ verified: true })
  expect(await offline()).toMatchObject({ verified: false, reason: 'gap', first_bad_seq: 1 })
})

test('nothing goes without an age, and nothing while a hold of the platform or of the tenant is on', async () => {
  const { tenant, size } = await aged()
  expect(await remove(tenant)).toBeNull()
  await set({ 'audit.retention_days': 366, 'audit.legal_hold': { reason: 'A dispute' } })
  expect(await remove(tenant)).toBeNull()
  const own = async (value: object | null) =>
    expectStatus(
      await tenant.admin.patch('/admin/config', { values: { 'audit.legal_hold': value }, comment: 'Hold' }),
      200,
    )
  await own({ reason: 'A dispute of ours' })
  await set({ 'audit.legal_hold': null })
  expect(await remove(tenant)).toBeNull()
  expect(await world.kernel.chain.beginning(tenant.id)).toBeNull()
  await own(null)
  await removedTo(tenant, size)
})

test('an age below twelve months is refused, and a tenant has none of its own', async () => {
  const short = await change({ 'audit.retention_days': 365 })
  expect([short.status, short.body?.error_code]).toEqual([422, 'ADM-001'])
  const { admin } = await world.tenant('own-age')
  const own = await admin.patch('/admin/config', { values: { 'audit.retention_days': 400 }, comment: 'Own' })
  expect([own.status, own.body?.error_code]).toEqual([422, 'ADM-001'])
})

test('C61 a log that was tampered with keeps everything, and is told of', async () => {
  const { tenant } = await aged()
  await tamper(`update audit_entry set reason = 'forged' where id =
    (select entry_id from audit_seal where tenant_id = '${tenant.id}' and seq = 2)`)
  await set({ 'audit.retention_days': 366, 'audit.legal_hold': null })
  expect(await remove(tenant)).toMatchObject({ removed: 0, fault: { reason: 'hash', firstBadSeq: 2 } })
  expect(await entries(tenant, { action: 'admin.audit.cut' })).toEqual([])
  const [told] = await entries(tenant, { action: 'admin.audit.verify', result: 'failed' })
  expect(told).toMatchObject({ after: { verified: false, reason: 'hash', first_bad_seq: 2 } })
})

test("the installation's own log is cut as well", async () => {
  const { size } = await aged({ id: platformTenant })
  expect(size).toBeGreaterThan(0)
  await set({ 'audit.retention_days': 366 })
  await removedTo({ id: platformTenant }, size)
  const { verified, cut } = expectStatus(
    await world.operator.post('/admin/audit-logs/verify', { scope: 'platform' }),
    200,
  ).body.data
  expect([verified, cut.size]).toEqual([true, size])
})

test('both jobs run by themselves once a day', () => {
  expect([...world.kernel.jobKinds.keys()]).toEqual(
    expect.arrayContaining(['admin.audit.retention', 'admin.audit.retention_platform']),
  )
})
