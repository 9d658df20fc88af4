import type { Tx } from '../../../kernel/db/port.ts'
import { identifier, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { errors } from '../declared/errors.ts'
import type { Series } from '../declared/tables.ts'
import type { Hundredths } from '../engine/fixed-point.ts'
import type { SeriesPoint } from './downsample.ts'
import { bucketOf, bucketStart, type HistoryRange, isoOf } from './history-range.ts'

/** Snapshots read at most one by one; more would hold the connection for seconds. */
const mostSnapshots = 50_000

/** A point of one series (values in hundredths) and the snapshot it is of. */
export interface ScorePoint extends SeriesPoint {
  readonly snapshotId: string
}

export interface SeriesQuery {
  readonly range: HistoryRange
  readonly series: Series
  readonly nowMs: number
}

/**
 * Columns instead of rows: most of the time of a long answer went into its rows (8,760 points on the embedded database,
 * same machine and load: 118 ms as rows, 42 ms as one row of arrays).
 */
interface SeriesColumns {
  readonly times: readonly number[]
  readonly ids: readonly string[]
  readonly values: readonly Hundredths[]
  readonly mins: readonly Hundredths[]
  readonly maxes: readonly Hundredths[]
}

/** Every snapshot of the range. @throws TRUST-006 when they are too many */
export async function everySnapshot(tx: Tx, { range, series }: SeriesQuery): Promise<readonly ScorePoint[]> {
  const points = await readColumns(
    tx,
    sql`
      ${scoresOf(series)}
      where created_at >= ${isoOf(range.fromMs)} and created_at < ${isoOf(range.toMs)}
      order by created_at, id
      limit ${mostSnapshots + 1}`,
  )
  if (points.length <= mostSnapshots) return points
  const what = `There are more than ${mostSnapshots} snapshots in this range. Ask for a shorter one or a coarser interval.`
  throw errors.historyRange({ what })
}

/** One point per bucket, from the first known score to the end of the range or to now. */
export async function everyBucket(tx: Tx, query: SeriesQuery): Promise<readonly ScorePoint[]> {
  const [before, busy] = await Promise.all([lastBefore(tx, query), busyBuckets(tx, query)])
  return fillBuckets(before, busy, query)
}

async function lastBefore(tx: Tx, { range, series }: SeriesQuery): Promise<ScorePoint | null> {
  const [point] = await readColumns(
    tx,
    sql`
      ${scoresOf(series)}
      where created_at < ${isoOf(range.fromMs)}
      order by created_at desc, id desc limit 1`,
  )
  return point ?? null
}

/** Buckets with at least one snapshot: the last one in each, and the extremes of all in it. */
function busyBuckets(tx: Tx, { range, series }: SeriesQuery): Promise<readonly ScorePoint[]> {
  return readColumns(
    tx,
    sql`
      select bucket as at, (array_agg(id order by created_at desc, id desc))[1] as id,
        (array_agg(value order by created_at desc, id desc))[1] as value, min(min) as min, max(max) as max
      from (
        select ${bucketOf(sql`at`, range.widthMs)} as bucket, at as created_at, id, value, min, max
        from (${scoresOf(series)}
          where created_at >= ${isoOf(range.fromMs)} and created_at < ${isoOf(range.toMs)}) p) s
      group by bucket
      order by bucket`,
  )
}

/** Snapshots with the score of one series, and the extremes of those that were removed around it. */
function scoresOf(series: SeriesQuery['series']): SqlPart {
  const value = identifier(series)
  const [low, high] = [identifier(`${series}_min`), identifier(`${series}_max`)]
  return sql`
    select created_at as at, id, ${value} as value, coalesce(${low}, ${value}) as min, coalesce(${high}, ${value}) as max
    from trust_snapshot
    left join trust_extreme on trust_extreme.tenant_id = trust_snapshot.tenant_id and snapshot_id = id`
}

async function readColumns(tx: Tx, points: SqlPart): Promise<readonly ScorePoint[]> {
  // An aggregate takes its rows in the order of the subquery; sorting once in there beats sorting for each column.
  const columns = await tx.first(sql<SeriesColumns>`
    select coalesce(array_agg((extract(epoch from at) * 1000)::int8), '{}') as times,
      coalesce(array_agg(id), '{}') as ids, coalesce(array_agg(value), '{}') as values,
      coalesce(array_agg(min), '{}') as mins, coalesce(array_agg(max), '{}') as maxes
    from (${points}) p`)
  const { times, ids, values, mins, maxes } = columns ?? { times: [], ids: [], values: [], mins: [], maxes: [] }
  return times.map((time, place) => ({
    time,
    snapshotId: ids[place] ?? '',
    value: values[place] ?? 0,
    min: mins[place] ?? 0,
    max: maxes[place] ?? 0,
  }))
}

/** A score stands until the next one, so a bucket in which nothing happened has the score before it. */
function fillBuckets(
  before: ScorePoint | null,
  busy: readonly ScorePoint[],
  { range, nowMs }: SeriesQuery,
): readonly ScorePoint[] {
  const byStart = new Map(busy.map((bucket) => [bucket.time, bucket]))
  const start = before === null ? (busy[0]?.time ?? range.toMs) : range.fromMs
  const end = Math.min(range.toMs, bucketStart(nowMs, range.widthMs) + 1)
  const points: ScorePoint[] = []
  let standing = before
  for (let time = start; time < end; time += range.widthMs) {
    const bucket = byStart.get(time)
    const point = bucket === undefined ? quiet(standing, time) : withCarried(bucket, standing)
    if (point !== null) points.push(point)
    standing = bucket ?? standing
  }
  return points
}

function quiet(standing: ScorePoint | null, time: number): ScorePoint | null {
  return standing === null ? null : { ...standing, time, min: standing.value, max: standing.value }
}

/** The score a bucket begins with counts among its extremes. */
function withCarried(bucket: ScorePoint, standing: ScorePoint | null): ScorePoint {
  if (standing === null) return bucket
  return { ...bucket, min: Math.min(bucket.min, standing.value), max: Math.max(bucket.max, standing.value) }
}
