/** Audit entries as the kernel writes them: one by one, and in the one statement of a group commit. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Actor, TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { noPermissions } from '../../apps/server/src/kernel/access/permissions.ts'
import { openDriver } from '../../apps/server/src/kernel/assembly/adapters.ts'
import { schemaOf } from '../../apps/server/src/kernel/assembly/schema.ts'
import { auditInsert, auditInserts, auditRow } from '../../apps/server/src/kernel/audit/record.ts'
import { systemClock } from '../../apps/server/src/kernel/base/clock.ts'
import { loadConfig } from '../../apps/server/src/kernel/config/load.ts'
import { createRandom } from '../../apps/server/src/kernel/crypto/random.ts'
import { createDatabase } from '../../apps/server/src/kernel/db/database.ts'
import { prepareDatabase } from '../../apps/server/src/kernel/db/schema/prepare.ts'
import type { Sql } from '../../apps/server/src/kernel/db/sql.ts'
import { answerUsage } from '../usage.mjs'

const batch = 100
const batches = 50
const writers = 4

const config = loadConfig({
  PARAPET_DATA_DIR: mkdtempSync(join(tmpdir(), 'parapet-bench-')),
  PARAPET_DATABASE_URL: process.env.BENCH_DATABASE_URL,
  PARAPET_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
})
const clock = systemClock()
const random = createRandom(clock.now)
const driver = await openDriver(config)
await prepareDatabase(driver, clock, schemaOf([]))
const unused = (): never => {
  throw new Error('this measurement makes its own records')
}
const db = createDatabase({ driver, recorders: { audit: unused, event: unused, job: unused, change: unused } })
const tenants = Array.from({ length: 20 }, () => random.uuid() as TenantId)
const digest = (): string => 'sha256:0'
/** A person acts, so each entry has a row beside it with the address and the program they acted from. */
const actor: Actor = {
  ...{
    kind: 'user',
    userId: random.uuid(),
    tenantId: tenants[0] ?? ('' as TenantId),
    role: 'viewer',
    roles: ['viewer'],
  },
  ...{ homeTenantId: tenants[0] ?? ('' as TenantId), permissions: noPermissions, operator: false, sessionId: null },
  ...{ keyId: null, authTime: null, amr: [], rateLimitPerMinute: null, tenantStatus: 'active' },
}
const origin = {
  actor,
  requestId: `req_${random.hex(12)}`,
  ip: '127.0.0.1',
  userAgent: 'bench/1',
  traceparent: null,
  causationDepth: 0,
  signal: null,
}
const fields = () => ({ target: `note:${random.uuid()}`, after: { title: 'A note', status: 'active', score: 3 } })
const tenantAt = (index: number): TenantId => tenants[index % tenants.length] ?? tenants[0] ?? ('' as TenantId)

const parts = { clock, random, digest }
const act = () => ({ action: 'note.create', fields: fields() })
const context = (index: number) => ({ tenantId: tenantAt(index), origin })

/** As ordinary changes write them: a statement for each. */
function entries(): readonly Sql[] {
  return Array.from({ length: batch }, (_, index) => auditInsert(parts, context(index), act()))
}

/** As the gateway's group commit writes them: one statement for all. */
function oneStatement(): readonly Sql[] {
  return [auditInserts(Array.from({ length: batch }, (_, index) => auditRow(parts, context(index), act())))]
}

async function measure(statements: () => readonly Sql[]) {
  const before = process.cpuUsage()
  const began = performance.now()
  let left = batches
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (left-- > 0) await db.append(statements())
    }),
  )
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - began) / 1000
  await driver.script('truncate audit_entry, audit_personal, audit_pending')
  return { seconds, rows: batch * batches, cpu: user + system }
}

process.on('message', ({ type }: { readonly type: string }) => {
  if (type !== 'entries' && type !== 'one_statement') return
  measure(type === 'entries' ? entries : oneStatement).then(
    (result) => process.send?.({ type, ...result }),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
answerUsage({})
