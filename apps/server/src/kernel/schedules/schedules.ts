/**
 * Schedules of modules: armed in the transaction that wants them, one row for each key. A look at the clock (fire.ts)
 * adds the job of a run and moves the row on in one transaction, so that each run has its job exactly once, whatever
 * crashes and however many instances look. Tested in schedules.test.ts.
 */
import type { ModuleName } from '../access/permissions.ts'
import type { Clock } from '../base/clock.ts'
import type { Tx } from '../db/port.ts'
import { json, sql } from '../db/sql.ts'
import type { JobKind } from '../kernel.ts'
import type { MissedRunPolicy } from './missed-runs.ts'
import { mostCounted, nextRun, requireTiming, type Timing, type TimingPointers } from './timetable.ts'

/** The parts of the kernel that arming takes. */
export interface ScheduleKernel {
  readonly clock: Pick<Clock, 'now' | 'iso'>
  readonly jobKinds: ReadonlyMap<string, JobKind>
}

export interface ScheduleKey {
  readonly owner: ModuleName
  /** Of the owner's choice, unique among its schedules of the tenant. */
  readonly key: string
}

export interface ScheduleInput extends ScheduleKey {
  /** The kind of job that a run adds. */
  readonly kind: string
  readonly timing: Timing
  /** Of the job, which has the member `schedule` besides (`ScheduledRun`). */
  readonly payload?: Readonly<Record<string, unknown>>
  /** Default `run_once`. */
  readonly missedRuns?: MissedRunPolicy
  /** With `run_all`: the most runs that are made up for, from 1 to 100; default 10. */
  readonly mostRuns?: number
  /** False keeps the schedule and lets it rest; default true. */
  readonly enabled?: boolean
  /** Unix milliseconds of the first run; default the first that the timing gives after now. */
  readonly firstAt?: number
  /** Where the request's body names the timing, for the pointers of a refusal. */
  readonly pointers?: TimingPointers
}

/** The member `schedule` in the payload of a run's job. */
export interface ScheduledRun {
  readonly key: string
  /** ISO 8601: when the run was due. */
  readonly scheduled_at: string
  /** Runs before it that were not made; 100 stands for that many and more. */
  readonly missed: number
}

/**
 * Arms a schedule or replaces the one of the same key. One whose timing is what it was keeps its next run; it is counted
 * anew where the timing changes, where `firstAt` is said with it, and where a resting one is enabled.
 * @returns ISO 8601 time of the next run
 * @throws API-030, API-031 for a timing that cannot be kept, TypeError for a kind of job that does not exist
 */
export async function armSchedule(kernel: ScheduleKernel, tx: Tx, input: ScheduleInput): Promise<string | null> {
  const { timing, mostRuns = 10 } = input
  requireKind(kernel, input.kind)
  requireTiming(timing, input.pointers)
  if (mostRuns < 1 || mostRuns > mostCounted) throw new RangeError(`A schedule makes up for 1 to ${mostCounted} runs`)
  const [cron, zone] = 'cron' in timing ? [timing.cron, timing.timeZone] : [null, null]
  const every = 'everyMs' in timing ? timing.everyMs : null
  const next = input.firstAt ?? nextRun(timing, kernel.clock.now())
  const nextAt = next === null ? null : new Date(next).toISOString()
  const now = kernel.clock.iso()
  const row = await tx.first(sql<{ next_at: string | null }>`
    insert into schedule as s (tenant_id, owner, key, kind, payload, cron, time_zone, every_ms, missed_runs, most_runs,
      enabled, next_at, created_at, updated_at)
    values (${tx.tenantId}, ${input.owner}, ${input.key}, ${input.kind}, ${json(input.payload ?? {})}, ${cron}, ${zone},
      ${every}, ${input.missedRuns ?? 'run_once'}, ${mostRuns}, ${input.enabled ?? true}, ${nextAt}, ${now}, ${now})
    on conflict (tenant_id, owner, key) do update set kind = excluded.kind, payload = excluded.payload,
      cron = excluded.cron, time_zone = excluded.time_zone, every_ms = excluded.every_ms,
      missed_runs = excluded.missed_runs, most_runs = excluded.most_runs, enabled = excluded.enabled, fault = null,
      updated_at = excluded.updated_at,
      next_at = case when s.enabled and s.next_at is not null
        and (s.cron, s.time_zone, s.every_ms) is not distinct from (excluded.cron, excluded.time_zone, excluded.every_ms)
        then s.next_at else excluded.next_at end
    returning next_at`)
  return row?.next_at ?? null
}

/** @returns whether there was one */
export async function disarmSchedule(tx: Tx, { owner, key }: ScheduleKey): Promise<boolean> {
  return (await tx.execute(sql`delete from schedule where owner = ${owner} and key = ${key}`)) > 0
}

export interface ScheduleState {
  readonly key: string
  readonly enabled: boolean
  /** ISO 8601; null for one that is never due again. */
  readonly next_at: string | null
  readonly fired_at: string | null
  /** Why the program switched it off. */
  readonly fault: string | null
}

/** How a module's schedules of these keys stand, for those who look at them. */
export function scheduleStates(
  tx: Tx,
  { owner, keys }: { readonly owner: ModuleName; readonly keys: readonly string[] },
): Promise<readonly ScheduleState[]> {
  return tx.query(sql<ScheduleState>`
    select key, enabled, next_at, fired_at, fault from schedule
    where owner = ${owner} and key = any(${[...keys]}::text[]) order by key`)
}

/** The run that a job was added for; null for a job from another source. */
export function scheduledRun(payload: Readonly<Record<string, unknown>>): ScheduledRun | null {
  const { schedule: run } = payload
  return typeof run === 'object' && run !== null ? (run as ScheduledRun) : null
}

/** @throws TypeError */
export function requireKind({ jobKinds }: Pick<ScheduleKernel, 'jobKinds'>, kind: string): void {
  if (!jobKinds.has(kind)) throw new TypeError(`There is no kind of job ${kind}`)
}
