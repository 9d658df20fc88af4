/**
 * Finds once a second the schedules that are due and the waits that are over, of all tenants: two probes of an index
 * when there are none. The jobs are added and the rows moved on in one transaction, under locks that other instances
 * pass over.
 * Tested in schedules.test.ts and waits.test.ts.
 */
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { Database, SystemTx } from '../db/port.ts'
import { json, sql } from '../db/sql.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import { firingsOf, type MissedRunPolicy } from './missed-runs.ts'
import type { ScheduledRun } from './schedules.ts'
import { dueRuns, type Timing } from './timetable.ts'
import { endedPayload, endedWaits } from './waits.ts'

export interface FiringParts {
  readonly db: Pick<Database, 'system'>
  readonly clock: Clock
  readonly random: Pick<Random, 'uuid'>
  readonly log: LoopLog
  /** Called when jobs were added. */
  readonly enqueued: () => void
}

/** Rows of a transaction: to find the next time of one takes up to a millisecond. */
const batchSize = 50

export function createFiring(parts: FiringParts): Activity {
  const loop = createLoop({
    name: 'schedules',
    clock: parts.clock,
    log: parts.log,
    everyMs: 1_000,
    run: async () => {
      const { jobs, full } = await fireDue(parts)
      if (jobs > 0) parts.enqueued()
      return full
    },
  })
  return { name: 'schedules', start: async () => loop.start(), stop: () => loop.stop() }
}

interface Fired {
  /** Jobs added. */
  readonly jobs: number
  /** There may be more that are due. */
  readonly full: boolean
}

/** One batch of due schedules and waits. */
export function fireDue(parts: Omit<FiringParts, 'enqueued'>): Promise<Fired> {
  return parts.db.system('schedules', async (tx) => {
    const [due, ended] = await Promise.all([
      tx.query(dueSchedules(parts.clock)),
      tx.query(endedWaits(parts.clock, batchSize)),
    ])
    const moved = due.map((row) => move(parts, row))
    const jobs: readonly NewJob[] = [
      ...moved.flatMap((each) => each.jobs),
      ...ended.map((wait) => ({ tenantId: wait.tenant_id, kind: wait.kind, payload: endedPayload(wait) })),
    ]
    if (jobs.length > 0) await addJobs(tx, parts, jobs)
    if (moved.length > 0) await keepMoved(tx, moved)
    return { jobs: jobs.length, full: due.length === batchSize || ended.length === batchSize }
  })
}

interface DueSchedule {
  readonly tenant_id: string
  readonly owner: string
  readonly key: string
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly cron: string | null
  readonly time_zone: string | null
  readonly every_ms: number | null
  readonly missed_runs: MissedRunPolicy
  readonly most_runs: number
  readonly next_at: string
  readonly fired_at: string | null
}

const dueSchedules = (clock: Pick<Clock, 'iso'>) => sql<DueSchedule>`
  select tenant_id, owner, key, kind, payload, cron, time_zone, every_ms::float8 as every_ms, missed_runs, most_runs,
    next_at, fired_at
  from schedule where enabled and next_at <= ${clock.iso()}
  order by next_at limit ${batchSize} for update skip locked`

interface NewJob {
  readonly tenantId: string
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
}

interface Moved {
  readonly row: DueSchedule
  readonly jobs: readonly NewJob[]
  readonly nextAt: string | null
  readonly firedAt: string | null
  readonly fault: string | null
}

const isoOf = (ms: number): string => new Date(ms).toISOString()

/** A schedule whose times can no longer be found is switched off and says why: it must not hold up all others. */
function move({ clock, log }: Pick<FiringParts, 'clock' | 'log'>, row: DueSchedule): Moved {
  const now = clock.now()
  try {
    const { runs, nextAt } = dueRuns(timingOf(row), Date.parse(row.next_at), now)
    const firings = firingsOf({ policy: row.missed_runs, mostRuns: row.most_runs }, runs, now)
    const jobs = firings.map(({ at, missed }) => {
      const run: ScheduledRun = { key: row.key, scheduled_at: isoOf(at), missed }
      return { tenantId: row.tenant_id, kind: row.kind, payload: { ...row.payload, schedule: run } }
    })
    const firedAt = firings.length > 0 ? isoOf(now) : row.fired_at
    return { row, jobs, firedAt, nextAt: nextAt === null ? null : isoOf(nextAt), fault: null }
  } catch (error) {
    log.error({ err: error, tenant: row.tenant_id, owner: row.owner, schedule: row.key }, 'a schedule was switched off')
    const fault = error instanceof Error ? error.message.slice(0, 500) : 'its times cannot be found'
    return { row, jobs: [], firedAt: row.fired_at, nextAt: row.next_at, fault }
  }
}

function timingOf({ cron, time_zone: timeZone, every_ms: everyMs }: DueSchedule): Timing {
  if (everyMs !== null) return { everyMs }
  return { cron: cron ?? '', timeZone: timeZone ?? '' }
}

async function addJobs(
  tx: SystemTx,
  { clock, random }: Pick<FiringParts, 'clock' | 'random'>,
  jobs: readonly NewJob[],
): Promise<void> {
  const now = clock.iso()
  await tx.execute(sql`
    insert into job (tenant_id, id, kind, payload, run_at, created_at)
    select tenant_id, id, kind, payload::jsonb, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${jobs.map(({ tenantId }) => tenantId)}::uuid[], ${jobs.map(() => random.uuid())}::uuid[],
      ${jobs.map(({ kind }) => kind)}::text[], ${jobs.map(({ payload }) => json(payload))}::text[])
      as fired(tenant_id, id, kind, payload)`)
}

async function keepMoved(tx: SystemTx, moved: readonly Moved[]): Promise<void> {
  await tx.execute(sql`
    update schedule s set next_at = moved.next_at, fired_at = moved.fired_at, fault = moved.fault,
      enabled = moved.fault is null
    from unnest(${moved.map(({ row }) => row.tenant_id)}::uuid[], ${moved.map(({ row }) => row.owner)}::text[],
      ${moved.map(({ row }) => row.key)}::text[], ${moved.map(({ nextAt }) => nextAt)}::timestamptz[],
      ${moved.map(({ firedAt }) => firedAt)}::timestamptz[], ${moved.map(({ fault }) => fault)}::text[])
      as moved(tenant_id, owner, key, next_at, fired_at, fault)
    where s.tenant_id = moved.tenant_id and s.owner = moved.owner and s.key = moved.key`)
}
