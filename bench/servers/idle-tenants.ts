/** The job schedule over some simulated hours, with tenants that have been used and are idle now. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { openDriver } from '../../apps/server/src/kernel/assembly/adapters.ts'
import { schemaOf } from '../../apps/server/src/kernel/assembly/schema.ts'
import { systemClock } from '../../apps/server/src/kernel/base/clock.ts'
import { loadConfig } from '../../apps/server/src/kernel/config/load.ts'
import { createRandom } from '../../apps/server/src/kernel/crypto/random.ts'
import { createDatabase } from '../../apps/server/src/kernel/db/database.ts'
import { prepareDatabase } from '../../apps/server/src/kernel/db/schema/prepare.ts'
import { sql } from '../../apps/server/src/kernel/db/sql.ts'
import { enqueueDue } from '../../apps/server/src/kernel/jobs/schedule.ts'
import { modules } from '../../apps/server/src/modules.ts'
import { answerUsage } from '../usage.mjs'

const stepMs = 60_000
const hourMs = 3_600_000

const config = loadConfig({
  PARAPET_DATA_DIR: mkdtempSync(join(tmpdir(), 'parapet-bench-')),
  PARAPET_DATABASE_URL: process.env.BENCH_DATABASE_URL,
  PARAPET_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
})
const system = systemClock()
const random = createRandom(system.now)
const driver = await openDriver(config)
await prepareDatabase(driver, system, schemaOf(modules))
const unused = (): never => {
  throw new Error('the schedule records nothing')
}
const db = createDatabase({ driver, recorders: { audit: unused, event: unused, job: unused, change: unused } })
const start = Date.parse('2026-03-01T00:00:00Z')
let now = start
const clock = { ...system, now: () => now, iso: () => new Date(now).toISOString() }
const tenants = Array.from({ length: Number(process.env.BENCH_TENANTS ?? 1000) }, () => random.uuid() as TenantId)

/** Each tenant was used once: its audit chain is held against its calls for good. */
for (const tenantId of tenants) {
  await db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`
      insert into gateway_audit_check (checked_at, intact, counted_at) values (${clock.iso()}, true, ${clock.iso()})`),
  )
}

interface Span {
  readonly hours: number
  /** With the conditions that find tenants with work, or with a job for every tenant. */
  readonly due: boolean
}

const scheduled = modules.flatMap((module) => module.jobs)
const forget = () =>
  db.system('bench', async (tx) => {
    await tx.execute(sql`delete from job`)
    await tx.execute(sql`delete from job_schedule`)
  })

/**
 * Kinds that give a new tenant its contents (rules, frameworks, a first model). Their conditions hold until a worker has
 * run them once, and no worker runs here.
 */
async function kindsOfBeginning(): Promise<ReadonlySet<string>> {
  const jobs = scheduled.filter(({ due }) => due !== undefined)
  await enqueueDue({ db, clock, random, jobs, tenants: async () => tenants.slice(0, 1) }, new Map())
  const rows = await db.system('bench', (tx) => tx.query(sql<{ kind: string }>`select distinct kind from job`))
  await forget()
  return new Set(rows.map(({ kind }) => kind))
}
const beginnings = await kindsOfBeginning()

/** As if a worker had run all jobs at once: the one that an idle tenant's own row asks for leaves the row as the job does. */
async function runAtOnce(): Promise<void> {
  const checked = await db.system('bench', (tx) =>
    tx.query(sql<{ tenant_id: TenantId }>`select tenant_id from job where kind = 'gateway.audit.check'`),
  )
  for (const { tenant_id: tenantId } of checked)
    await db.tenant({ tenantId }, (tx) =>
      tx.execute(sql`update gateway_audit_check set checked_at = ${clock.iso()}, counted_at = ${clock.iso()}`),
    )
  await db.system('bench', (tx) => tx.execute(sql`delete from job`))
}

async function simulate({ due, hours }: Span) {
  const jobs = scheduled
    .filter(({ kind }) => !beginnings.has(kind))
    .map((job) => (due ? job : { kind: job.kind, everyMs: job.everyMs, ofInstallation: job.ofInstallation ?? false }))
  await forget()
  const endMs = start + hours * hourMs
  const minutes = (hours * hourMs) / stepMs
  const done = new Map<string, number>()
  let enqueued = 0
  const before = process.cpuUsage()
  const began = performance.now()
  for (now = start; now < endMs; now += stepMs) {
    enqueued += await enqueueDue({ db, clock, random, jobs, tenants: async () => tenants }, done)
    await runAtOnce()
  }
  const { user, system: kernel } = process.cpuUsage(before)
  return {
    tenants: tenants.length,
    simulated_hours: hours,
    kinds_left_out: [...beginnings],
    jobs_per_second: enqueued / (hours * 3600),
    schedule_cpu_ms_per_minute: (user + kernel) / 1000 / minutes,
    schedule_ms_per_minute: (performance.now() - began) / minutes,
  }
}

process.on('message', ({ type, ...span }: Span & { readonly type: string }) => {
  if (type !== 'simulate') return
  simulate(span).then(
    (result) => process.send?.({ type, ...result }),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
answerUsage({})
