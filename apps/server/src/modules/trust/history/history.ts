import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { History, HistoryPoint } from '../declared/schemas.ts'
import { type Hundredths, toPoints } from '../engine/fixed-point.ts'
import type { Grade } from '../engine/grade.ts'
import { keyed } from '../engine/keyed.ts'
import { PILLAR_NAMES, type PillarName } from '../engine/signals.ts'
import { downsample } from './downsample.ts'
import { type HistoryQuery, historyRange, isoOf } from './history-range.ts'
import { everyBucket, everySnapshot, type ScorePoint } from './history-series.ts'

export interface HistoryRequest extends HistoryQuery {
  /** The series that extremes and down-sampling look at; default the composite. */
  readonly pillar?: PillarName
  readonly maxPoints: number
}

/**
 * The scores of a range: every snapshot, or one point per hour, day or week with the score at its end and the lowest
 * and highest in it. @throws TRUST-006
 */
export async function readHistory(tx: Tx, request: HistoryRequest, nowMs: number): Promise<History> {
  const range = historyRange(request, nowMs)
  const query = { range, series: request.pillar ?? 'composite', nowMs } as const
  const series = await (range.widthMs === 0 ? everySnapshot(tx, query) : everyBucket(tx, query))
  const kept = downsample(series, request.maxPoints)
  return {
    from: isoOf(range.fromMs),
    to: isoOf(range.toMs),
    interval: request.interval,
    points: await withScores(tx, kept),
    downsampled: kept.length < series.length,
  }
}

interface StoredScore extends Readonly<Record<PillarName, Hundredths>> {
  readonly id: string
  readonly composite: Hundredths
  readonly grade: Grade
}

/** Only the points that are shown need all their scores. */
async function withScores(tx: Tx, points: readonly ScorePoint[]): Promise<readonly HistoryPoint[]> {
  const ids = [...new Set(points.map((point) => point.snapshotId))]
  const scores = await tx.query(sql<StoredScore>`
    select id, composite, grade, security, compliance, risk, resilience, ai_governance
    from trust_snapshot
    where id = any(${ids}::uuid[])`)
  const byId = new Map(scores.map((score) => [score.id, score]))
  return points.flatMap((point) => {
    const score = byId.get(point.snapshotId)
    return score === undefined ? [] : [shownPoint(point, score)]
  })
}

function shownPoint(point: ScorePoint, score: StoredScore): HistoryPoint {
  return {
    at: isoOf(point.time),
    composite_score: toPoints(score.composite),
    grade: score.grade,
    pillars: keyed(PILLAR_NAMES, (name) => toPoints(score[name])),
    min: toPoints(point.min),
    max: toPoints(point.max),
    snapshot_id: score.id,
  }
}
