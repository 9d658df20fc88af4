import type { Tx } from '../../kernel/db/port.ts'
import { identifier, sql } from '../../kernel/db/sql.ts'
import { downsample, type SeriesPoint } from './downsample.ts'
import { type Hundredths, toPoints } from './engine/fixed-point.ts'
import type { Grade } from './engine/grade.ts'
import { keyed } from './engine/keyed.ts'
import { PILLAR_NAMES, type PillarName } from './engine/signals.ts'
import { errors } from './errors.ts'
import { bucketOriginMs, bucketStart, type HistoryQuery, type HistoryRange, historyRange } from './history-range.ts'
import type { History, HistoryPoint } from './schemas.ts'

/** Snapshots read at most for one answer; more would hold the connection for seconds. */
const mostSnapshots = 50_000

type Columns = Readonly<Record<PillarName, Hundredths>>

/** A stored score and the extremes, in its stretch of time, of the series asked for. All in hundredths. */
interface StoredPoint extends Columns {
  readonly at: string
  readonly snapshot_id: string
  readonly composite: Hundredths
  readonly grade: Grade
  readonly min: Hundredths
  readonly max: Hundredths
}

export interface HistoryRequest extends HistoryQuery {
  /** The series that extremes and down-sampling look at; default the composite. */
  readonly pillar?: PillarName
  readonly maxPoints: number
}

/**
 * The scores of a range: every snapshot, or one point per hour, day or week with the score at its end and the lowest
 * and highest in it. A score stands until the next one, so a bucket in which nothing happened has the score before it.
 * @throws TRUST-006
 */
export async function readHistory(tx: Tx, request: HistoryRequest, nowMs: number): Promise<History> {
  const range = historyRange(request, nowMs)
  const series = request.pillar ?? 'composite'
  const stored =
    range.widthMs === 0 ? await everySnapshot(tx, range, series) : await perBucket(tx, { range, series, nowMs })
  const points = stored.map((point) => ({
    time: Date.parse(point.at),
    value: point[series],
    min: point.min,
    max: point.max,
    point,
  }))
  const kept = downsample(points, request.maxPoints)
  return {
    from: isoOf(range.fromMs),
    to: isoOf(range.toMs),
    interval: request.interval,
    points: kept.map(shownPoint),
    downsampled: kept.length < points.length,
  }
}

async function everySnapshot(
  tx: Tx,
  range: HistoryRange,
  series: PillarName | 'composite',
): Promise<readonly StoredPoint[]> {
  const value = identifier(series)
  const rows = await tx.query(sql<StoredPoint>`
    select created_at as at, id as snapshot_id, composite, grade,
      security, compliance, risk, resilience, ai_governance, ${value} as min, ${value} as max
    from trust_snapshot
    where created_at >= ${isoOf(range.fromMs)} and created_at < ${isoOf(range.toMs)}
    order by created_at, id
    limit ${mostSnapshots + 1}`)
  if (rows.length > mostSnapshots) {
    const what = `There are more than ${mostSnapshots} snapshots in this range. Ask for a shorter one or a coarser interval.`
    throw errors.historyRange({ what })
  }
  return rows
}

interface BucketQuery {
  readonly range: HistoryRange
  readonly series: PillarName | 'composite'
  readonly nowMs: number
}

async function perBucket(tx: Tx, query: BucketQuery): Promise<readonly StoredPoint[]> {
  const [before, buckets] = await Promise.all([lastBefore(tx, query), busyBuckets(tx, query)])
  return everyBucket(before, buckets, query)
}

function lastBefore(tx: Tx, { range, series }: BucketQuery): Promise<StoredPoint | null> {
  const value = identifier(series)
  return tx.first(sql<StoredPoint>`
    select created_at as at, id as snapshot_id, composite, grade,
      security, compliance, risk, resilience, ai_governance, ${value} as min, ${value} as max
    from trust_snapshot
    where created_at < ${isoOf(range.fromMs)}
    order by created_at desc, id desc limit 1`)
}

/** Buckets with at least one snapshot: the last one in each, and the extremes of all in it. */
function busyBuckets(tx: Tx, { range, series }: BucketQuery): Promise<readonly StoredPoint[]> {
  const width = range.widthMs / 1_000
  return tx.query(sql<StoredPoint>`
    with inside as (
      select date_bin(make_interval(secs => ${width}), created_at, ${isoOf(bucketOriginMs)}::timestamptz) as at,
        id as snapshot_id, created_at, composite, grade,
        security, compliance, risk, resilience, ai_governance, ${identifier(series)} as value
      from trust_snapshot
      where created_at >= ${isoOf(range.fromMs)} and created_at < ${isoOf(range.toMs)}),
    extremes as (select at, min(value) as min, max(value) as max from inside group by at)
    select distinct on (i.at) i.at, i.snapshot_id, i.composite, i.grade,
      i.security, i.compliance, i.risk, i.resilience, i.ai_governance, e.min, e.max
    from inside i join extremes e on e.at = i.at
    order by i.at, i.created_at desc, i.snapshot_id desc`)
}

/** Fills the quiet buckets between, from the first known score to the end of the range or to now. */
export function everyBucket(
  before: StoredPoint | null,
  busy: readonly StoredPoint[],
  { range, series, nowMs }: BucketQuery,
): readonly StoredPoint[] {
  const byStart = new Map(busy.map((bucket) => [Date.parse(bucket.at), bucket]))
  const [first] = busy
  const start = before === null ? (first === undefined ? range.toMs : Date.parse(first.at)) : range.fromMs
  const end = Math.min(range.toMs, bucketStart(nowMs, range.widthMs) + 1)
  const points: StoredPoint[] = []
  let standing = before
  for (let at = start; at < end; at += range.widthMs) {
    const bucket = byStart.get(at)
    const carried = standing?.[series]
    if (bucket !== undefined) {
      points.push(
        carried === undefined
          ? bucket
          : { ...bucket, min: Math.min(bucket.min, carried), max: Math.max(bucket.max, carried) },
      )
      standing = bucket
    } else if (standing !== null && carried !== undefined) {
      points.push({ ...standing, at: isoOf(at), min: carried, max: carried })
    }
  }
  return points
}

function shownPoint({ point, min, max }: SeriesPoint & { readonly point: StoredPoint }): HistoryPoint {
  return {
    at: point.at,
    composite_score: toPoints(point.composite),
    grade: point.grade,
    pillars: keyed(PILLAR_NAMES, (name) => toPoints(point[name])),
    min: toPoints(min),
    max: toPoints(max),
    snapshot_id: point.snapshot_id,
  }
}

function isoOf(moment: number): string {
  return new Date(moment).toISOString()
}
