/**
 * Enqueues the repeating jobs: once per period for each tenant with work due, or once for the installation, by the
 * first instance to come. Periods are counted from the Unix epoch, so that all instances mean the same one; a period in
 * which no instance ran is not made up for. Tested in worker.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import { platformTenant } from '../access/platform-tenant.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { Database, SystemTx } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import type { JobDeclaration } from '../module/module.ts'

export interface ScheduleParts {
  readonly db: Pick<Database, 'system'>
  readonly clock: Clock
  readonly random: Pick<Random, 'uuid'>
  readonly log: LoopLog
  readonly jobs: readonly Pick<JobDeclaration<unknown>, 'kind' | 'everyMs' | 'ofInstallation' | 'due'>[]
  readonly tenants: () => Promise<readonly TenantId[]>
  /** Called when jobs were enqueued. */
  readonly enqueued: () => void
}

export function createSchedule(parts: ScheduleParts): Activity {
  const done = new Map<string, number>()
  const loop = createLoop({
    name: 'job schedule',
    clock: parts.clock,
    log: parts.log,
    everyMs: 1_000,
    run: async () => {
      if ((await enqueueDue(parts, done)) > 0) parts.enqueued()
      return false
    },
  })
  return { name: 'job schedule', start: async () => loop.start(), stop: () => loop.stop() }
}

type DueParts = Pick<ScheduleParts, 'db' | 'clock' | 'random' | 'jobs' | 'tenants'>

/**
 * One look at the clock: enqueues the jobs of every period that began since the last one.
 * @param done the last period of each kind that this instance knows to be handed out; changed in place
 * @returns the number of jobs added
 */
export async function enqueueDue(parts: DueParts, done: Map<string, number>): Promise<number> {
  let added = 0
  for (const { kind, everyMs, ofInstallation, due } of parts.jobs) {
    if (everyMs === null) continue
    const period = Math.floor(parts.clock.now() / everyMs)
    if (done.get(kind) === period) continue
    const tenants = ofInstallation === true ? [platformTenant] : await parts.tenants()
    added += await parts.db.system('job schedule', (tx) =>
      enqueuePeriod(tx, parts, { kind, everyMs, period, tenants, due }),
    )
    done.set(kind, period)
  }
  return added
}

interface Period {
  readonly kind: string
  readonly everyMs: number
  readonly period: number
  readonly tenants: readonly TenantId[]
  readonly due: JobDeclaration<unknown>['due']
}

/**
 * The row of the kind decides which instance hands the period out. A tenant whose last run still waits gets no second one.
 * @returns the number of jobs added
 */
async function enqueuePeriod(tx: SystemTx, parts: DueParts, period: Period): Promise<number> {
  const mine = await tx.execute(sql`
    insert into job_schedule as s (kind, period) values (${period.kind}, ${period.period})
    on conflict (kind) do update set period = excluded.period where s.period < excluded.period`)
  if (mine === 0 || period.tenants.length === 0) return 0
  const tenants = await tenantsWithWork(tx, parts, period)
  if (tenants.length === 0) return 0
  const now = parts.clock.iso()
  const ids = tenants.map(() => parts.random.uuid())
  const runAt = tenants.map((tenant) => new Date(parts.clock.now() + spreadMs(tenant, period.everyMs)).toISOString())
  return tx.execute(sql`
    insert into job (tenant_id, id, kind, key, payload, run_at, created_at)
    select tenant_id, id, ${period.kind}::text, 'schedule', '{}'::jsonb, run_at, ${now}::timestamptz
    from unnest(${[...tenants]}::uuid[], ${ids}::uuid[], ${runAt}::timestamptz[]) as t(tenant_id, id, run_at)
    on conflict (tenant_id, kind, key) where status = 'waiting' and key is not null do nothing`)
}

/** One statement for all tenants: an index probe for each costs microseconds, a job for each a transaction or more. */
async function tenantsWithWork(
  tx: SystemTx,
  { clock }: DueParts,
  { tenants, due }: Period,
): Promise<readonly TenantId[]> {
  if (due === undefined) return tenants
  const at = { now: clock.iso(), ago: (ms: number) => new Date(clock.now() - ms).toISOString() }
  const rows = await tx.query(
    sql<{ id: TenantId }>`select tenant.id from unnest(${[...tenants]}::uuid[]) as tenant(id) where ${due(at)}`,
  )
  return rows.map(({ id }) => id)
}

/** Tenants start spread over a tenth of the period, at most a minute, always at the same place in it. */
function spreadMs(tenant: TenantId, everyMs: number): number {
  const place = Number.parseInt(tenant.replaceAll('-', '').slice(-6), 16) / 0x1000000
  return Math.floor(place * Math.min(everyMs / 10, 60_000))
}
