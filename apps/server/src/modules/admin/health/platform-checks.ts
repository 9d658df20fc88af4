/** Checks of the installation's own dependencies. Tested in health.test.ts. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Finding, HealthCheck } from '../../../kernel/health/checks.ts'
import { diskSpace } from '../../../kernel/health/disk.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { backupSchedule } from '../backups/settings.ts'
import type { SettingStore } from '../services/setting-store.ts'

/** A tenant that no one has. */
const nobody = 'ffffffff-ffff-4fff-8fff-ffffffffffff' as TenantId

interface Bounds {
  readonly warn: number
  readonly fail: number
}

function judged(value: number, { warn, fail }: Bounds): Finding['status'] {
  return value >= fail ? 'fail' : value >= warn ? 'warn' : 'pass'
}

/** Seconds, for work that is moved within a second when all is well. */
const lag: Bounds = { warn: 10, fail: 60 }
/** Seconds between the clock here and the database's. */
const offset: Bounds = { warn: 1, fail: 30 }
/** Seconds a transaction has been open. */
const openFor: Bounds = { warn: 30, fail: 300 }
/** Used share of the disk. */
const used: Bounds = { warn: 0.85, fail: 0.95 }
/** Seconds since the change feed last reached the database. */
const silence: Bounds = { warn: 5, fail: 15 }

export function platformChecks(kernel: Kernel, settings: SettingStore): readonly HealthCheck[] {
  return [
    { name: 'database', run: () => database(kernel) },
    { name: 'row_level_security', run: () => rowLevelSecurity(kernel) },
    { name: 'clock', run: () => clockOffset(kernel) },
    { name: 'event_relay', run: () => eventRelay(kernel) },
    { name: 'audit_seal', run: () => auditSeal(kernel) },
    { name: 'job_queues', run: () => jobQueues(kernel) },
    { name: 'change_feed', run: async () => changeFeed(kernel) },
    { name: 'settings', run: () => settingsRevision(kernel, settings) },
    { name: 'cache', run: () => cache(kernel) },
    ...(kernel.mail.configured ? [mail(kernel)] : []),
    { name: 'backups', run: () => backupAge(kernel) },
    { name: 'disk', run: () => disk(kernel) },
    { name: 'signing_keys', run: async () => signingKeys(kernel) },
  ]
}

async function database({ db }: Kernel): Promise<Finding> {
  await db.ping()
  const { total, idle, waiting } = db.stats()
  const pool = { connections: total, idle, waiting }
  if (db.kind === 'pglite') return { status: 'pass', observed: pool }
  const [row] = await db.system('health of the database', (tx) =>
    tx.query(
      sql<{ oldest: number; in_recovery: boolean; replicas: number; behind: number | null }>`
        select (select count(*)::int from pg_stat_replication) as replicas,
          (select max(extract(epoch from replay_lag))::float8 from pg_stat_replication) as behind, coalesce(max(extract(epoch from clock_timestamp() - xact_start))
          filter (where pid <> pg_backend_pid() and backend_type = 'client backend'), 0)::float8 as oldest,
          pg_is_in_recovery() as in_recovery
        from pg_stat_activity where datname = current_database()`,
    ),
  )
  const { in_recovery = false, replicas = 0, behind = null } = row ?? {}
  const oldest = Math.round(row?.oldest ?? 0)
  // Behind is null without replicas, and for a login that may not ask (pg_monitor).
  const found = [judged(oldest, openFor), judged(behind ?? 0, lag)]
  const isWarned = waiting > total || found.includes('warn')
  const status = in_recovery || found.includes('fail') ? 'fail' : isWarned ? 'warn' : 'pass'
  const copies = { replicas, replication_lag_seconds: behind }
  return { status, observed: { ...pool, ...copies, oldest_transaction_seconds: oldest, in_recovery } }
}

/** Keys of tenants are there as soon as there is a tenant; nobody may see any of them. */
async function rowLevelSecurity({ db }: Kernel): Promise<Finding> {
  const count = sql<{ rows: number }>`select count(*)::int as rows from tenant_data_key`
  const [seen] = await db.read(nobody, count)
  const there = await db.system('health of row-level security', (tx) => tx.first(count))
  const observed = { rows_of_others_seen: seen?.rows ?? 0, rows_of_others: there?.rows ?? 0 }
  return { status: observed.rows_of_others_seen === 0 ? 'pass' : 'fail', observed }
}

async function clockOffset({ db, clock }: Kernel): Promise<Finding> {
  const before = clock.now()
  const row = await db.system('health of the clock', (tx) =>
    tx.first(sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`),
  )
  const here = (before + clock.now()) / 2
  const seconds = Math.abs((row?.ms ?? here) - here) / 1000
  return { status: judged(seconds, offset), observed: { offset_seconds: Math.round(seconds * 1000) / 1000 } }
}

async function eventRelay({ db, clock }: Kernel): Promise<Finding> {
  const row = await db.system('health of the event relay', (tx) =>
    tx.first(
      sql<{ waiting: number; oldest: string | null }>`select count(*)::int as waiting, min(time) as oldest from outbox`,
    ),
  )
  return aged(clock.now(), row)
}

async function auditSeal({ db, clock }: Kernel): Promise<Finding> {
  const row = await db.system('health of the audit log', (tx) =>
    tx.first(
      sql<{ waiting: number; oldest: string | null }>`
        select count(*)::int as waiting, min(e.at) as oldest
        from audit_pending p join audit_entry e on e.tenant_id = p.tenant_id and e.id = p.id`,
    ),
  )
  return aged(clock.now(), row)
}

async function jobQueues({ db, clock }: Kernel): Promise<Finding> {
  const row = await db.system('health of the job queues', (tx) =>
    tx.first(
      sql<{ waiting: number; running: number; dead: number; oldest: string | null }>`
        select count(*) filter (where status = 'waiting')::int as waiting,
          count(*) filter (where status = 'running')::int as running,
          count(*) filter (where status = 'dead' and finished_at > clock_timestamp() - interval '1 day')::int as dead,
          min(run_at) filter (where status = 'waiting' and run_at <= clock_timestamp()) as oldest
        from job`,
    ),
  )
  const { status, observed } = aged(clock.now(), row, { warn: 60, fail: 600 })
  const dead = row?.dead ?? 0
  return {
    status: status === 'pass' && dead > 0 ? 'warn' : status,
    observed: { ...observed, running: row?.running ?? 0, dead_last_day: dead },
  }
}

function aged(
  nowMs: number,
  row: { readonly waiting: number; readonly oldest: string | null } | null,
  bounds: Bounds = lag,
) {
  const { waiting = 0, oldest = null } = row ?? {}
  const seconds = oldest === null ? 0 : Math.max(0, Math.round((nowMs - Date.parse(oldest)) / 1000))
  return { status: judged(seconds, bounds), observed: { waiting, oldest_seconds: seconds } }
}

function changeFeed({ live }: Kernel): Finding {
  const seconds = Math.round(live.lastContactMs() / 100) / 10
  return { status: judged(seconds, silence), observed: { last_contact_seconds: seconds } }
}

async function settingsRevision({ db }: Kernel, settings: SettingStore): Promise<Finding> {
  const held = settings.revision()
  const row = await db.system('health of the settings', (tx) =>
    tx.first(sql<{ revision: number }>`select revision from admin_config_head where scope = 'all'`),
  )
  const stored = row?.revision ?? 0
  return { status: held >= stored ? 'pass' : 'warn', observed: { held_version: held, stored_version: stored } }
}

async function cache({ cache: port, random }: Kernel): Promise<Finding> {
  const key = `health:${random.hex(6)}`
  await port.set('platform', key, Buffer.from('ok'), 5000)
  const found = await port.get('platform', key)
  // A value the cache did not keep is a miss and no fault; a store out of reach is nothing but misses.
  return { status: found === undefined ? 'warn' : 'pass', observed: { kept: found !== undefined } }
}

/** Relays take a client that signs in every few seconds for an attacker. */
function mail({ mail: relay }: Kernel): HealthCheck {
  const run = async (): Promise<Finding> => {
    await relay.check()
    return { status: 'pass' }
  }
  return { name: 'mail', timeoutMs: 5_000, everyMs: 60_000, run }
}

/** Shares of the schedule's period that may pass since the newest backup that was proven. */
const overdue: Bounds = { warn: 1.5, fail: 3 }

/** Without a schedule the age is reported and not judged. */
async function backupAge({ db, clock, settings }: Kernel): Promise<Finding> {
  const schedule = settings.get(backupSchedule, null)
  const row = await db.system('health of the backups', (tx) =>
    tx.first(sql<{ made: string | null; proven: string | null }>`
      select max(created_at) as made, max(created_at) filter (where verified_at is not null) as proven
      from admin_backup where kind = 'full' and status = 'completed'`),
  )
  const age = (at: string | null) =>
    at === null ? null : Math.max(0, Math.round((clock.now() - Date.parse(at)) / 1000))
  const [newest, proven] = [age(row?.made ?? null), age(row?.proven ?? null)]
  const observed = {
    every_hours: schedule?.every_hours ?? null,
    newest_seconds: newest,
    newest_verified_seconds: proven,
  }
  if (schedule === null) return { status: 'pass', observed }
  const counts = schedule.verify ? proven : newest
  if (counts === null) return { status: 'warn', observed }
  return { status: judged(counts / (schedule.every_hours * 3600), overdue), observed }
}

async function disk({ config }: Kernel): Promise<Finding> {
  const { totalBytes, freeBytes } = await diskSpace(config.dataDir)
  const share = totalBytes === 0 ? 0 : 1 - freeBytes / totalBytes
  return {
    status: judged(share, used),
    observed: { free_bytes: freeBytes, used_share: Math.round(share * 1000) / 1000 },
  }
}

function signingKeys({ signingKeys: keys }: Kernel): Finding {
  return {
    status: 'pass',
    observed: { token_kid: keys.activeKid('token'), checkpoint_kid: keys.activeKid('checkpoint') },
  }
}
