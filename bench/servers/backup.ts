/** A backup of many audit entries, each sealed in the chain of its tenant: made, proven, and restored into the other kind. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { openDriver } from '../../apps/server/src/kernel/assembly/adapters.ts'
import { schemaOf } from '../../apps/server/src/kernel/assembly/schema.ts'
import { auditInserts, auditRow } from '../../apps/server/src/kernel/audit/record.ts'
import { sealBatch } from '../../apps/server/src/kernel/audit/seal.ts'
import { createChainVerifier } from '../../apps/server/src/kernel/audit/verify.ts'
import { createBackups } from '../../apps/server/src/kernel/backup/backups.ts'
import { readBackup } from '../../apps/server/src/kernel/backup/file.ts'
import { loadBackup } from '../../apps/server/src/kernel/backup/load.ts'
import { pathOf, readFile } from '../../apps/server/src/kernel/backup/store.ts'
import { systemClock } from '../../apps/server/src/kernel/base/clock.ts'
import { loadConfig } from '../../apps/server/src/kernel/config/load.ts'
import { createRandom } from '../../apps/server/src/kernel/crypto/random.ts'
import { createKeyWrap } from '../../apps/server/src/kernel/crypto/wrapping.ts'
import { createDatabase } from '../../apps/server/src/kernel/db/database.ts'
import type { Driver } from '../../apps/server/src/kernel/db/port.ts'
import { prepareDatabase } from '../../apps/server/src/kernel/db/schema/prepare.ts'
import { sql } from '../../apps/server/src/kernel/db/sql.ts'
import { createEgress } from '../../apps/server/src/kernel/egress/fetch.ts'
import { createTenantKeys } from '../../apps/server/src/kernel/keys/keys.ts'
import { createSigningKeys } from '../../apps/server/src/kernel/keys/signing.ts'
import { answerUsage } from '../usage.mjs'

const tenantCount = 10
const batch = 1_000

const folder = mkdtempSync(join(tmpdir(), 'parapet-bench-'))
const kek = randomBytes(32)
const clock = systemClock()
const random = createRandom(clock.now)
const schema = schemaOf([])
const nothing = () => sql`select 1`
const recorders = { audit: nothing, event: nothing, job: nothing, change: nothing }
const wrap = createKeyWrap(kek, random)

function open(name: string, url: string | undefined): Promise<Driver> {
  return openDriver(
    loadConfig({
      PARAPET_DATA_DIR: join(folder, name),
      PARAPET_KEY_ENCRYPTION_KEY: kek.toString('base64'),
      ...(url === undefined ? {} : { PARAPET_DATABASE_URL: url }),
    }),
  )
}

interface Question {
  readonly type: string
  readonly entries: number
  /** Of PostgreSQL; the embedded database where there is none. */
  readonly from?: string
  readonly into?: string
}

async function measure({ entries, from, into }: Question) {
  const driver = await open('from', from)
  await prepareDatabase(driver, clock, schema)
  const db = createDatabase({ driver, recorders })
  const parts = { db, kek, clock, random, changes: { on: () => () => undefined } }
  const keys = createSigningKeys({ ...parts, failed: () => undefined })
  await keys.ensure()
  const tenants = await fill(db, createTenantKeys(parts), entries)
  const chain = createChainVerifier({ db, clock, keys })
  const egress = createEgress({ allowedPrivate: [], ports: [], now: clock.monotonic })
  const own = {
    driver,
    schema,
    folder,
    scratch: join(folder, 'scratch'),
    kek,
    nextKek: null,
    recorders,
    chain,
    egress,
    replaced: () => undefined,
  }
  const place = createBackups({ ...own, clock, random, keys }).at(null)
  const id = random.uuid()
  const signal = new AbortController().signal
  const made = await timed(() => place.create({ id, tenantId: null, signal, done: () => undefined }))
  const proven = await timed(() => place.verify(id))
  const other = await open('into', into)
  const lines = () => readBackup(wrap, readFile(pathOf(folder, id)))
  const restored = await timed(() => loadBackup({ driver: other, schema, clock, lines: lines() }))
  const there = createChainVerifier({ db: createDatabase({ driver: other, recorders }), clock, keys })
  const chains = await timed(async () => {
    const reports = []
    // One after the other: the embedded database has one connection.
    for (const tenant of tenants) reports.push(await there.verify(tenant))
    return reports
  })
  if (!chains.value.every(({ verified }) => verified)) throw new Error('a restored chain does not verify')
  await Promise.all([driver.close(), other.close(), egress.close()])
  rmSync(folder, { recursive: true, force: true })
  return {
    rows: made.value.rows,
    entries: chains.value.reduce((sum, report) => sum + report.entries, 0),
    bytes: made.value.bytes,
    make_seconds: made.seconds,
    prove_seconds: proven.seconds,
    restore_seconds: restored.seconds,
    verify_chains_seconds: chains.seconds,
    peak_resident_bytes: process.resourceUsage().maxRSS * 1024,
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly seconds: number }> {
  const began = performance.now()
  const value = await work()
  return { value, seconds: Math.round(performance.now() - began) / 1000 }
}

const left = sql<{ count: number }>`select count(*)::int as count from audit_pending`

async function fill(
  db: ReturnType<typeof createDatabase>,
  keys: ReturnType<typeof createTenantKeys>,
  entries: number,
): Promise<readonly TenantId[]> {
  const tenants = Array.from({ length: tenantCount }, () => random.uuid() as TenantId)
  for (const tenantId of tenants) await db.tenant({ tenantId }, (tx) => keys.create(tx))
  const origin = { actor: null, requestId: null, ip: null, userAgent: null, traceparent: null }
  const parts = { clock, random, digest: () => 'digest:0' }
  for (let written = 0; written < entries; written += batch) {
    const rows = Array.from({ length: Math.min(batch, entries - written) }, (_, index) => {
      const tenantId = tenants[index % tenantCount] ?? ('' as TenantId)
      const fields = { target: `note:${random.uuid()}`, after: { title: 'A note', status: 'active', score: index } }
      const context = { tenantId, origin: { ...origin, causationDepth: 0, signal: null } }
      return auditRow(parts, context, { action: 'note.create', fields })
    })
    await db.append([auditInserts(rows)])
    await db.system('sealer', (tx) => sealBatch(tx, clock.iso()))
  }
  // Other work on the server holds back entries until its transactions end.
  while (((await db.system('left', (tx) => tx.first(left)))?.count ?? 0) > 0) {
    const sealed = await db.system('sealer', (tx) => sealBatch(tx, clock.iso()))
    if ((sealed?.pending ?? 0) === 0) await new Promise<void>((resolve) => clock.after(50, resolve))
  }
  return tenants
}

process.on('message', (question: Question) => {
  if (question.type !== 'backup') return
  measure(question).then(
    (result) => process.send?.({ type: 'backup', ...result }),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
answerUsage({})
