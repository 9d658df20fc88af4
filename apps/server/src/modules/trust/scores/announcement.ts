import type { Tx } from '../../../kernel/db/port.ts'
import { gradeChanged, scoreUpdated } from '../declared/events.ts'
import { trustSnapshots } from '../declared/tables.ts'
import type { DecayConfig } from '../engine/config.ts'
import { attribute, priorSide, sideOf } from '../engine/explain/attribution.ts'
import { toHundredths } from '../engine/fixed-point.ts'
import { announcedGrade, compareGrades } from '../engine/grade.ts'
import { keyed } from '../engine/keyed.ts'
import { PILLAR_NAMES } from '../engine/signals.ts'
import { trendOf } from './past-scores.ts'
import { pillarOf, type SnapshotRow } from './snapshots.ts'
import type { Standing, StateRow } from './standing.ts'

/** The grade that people know, and the snapshot it was of. */
export type Told = Pick<StateRow, 'told_grade' | 'told_snapshot_id'>

/** Contributions that an announcement of a grade names. */
const mostContributions = 3

/** Emits what subscribers hear of a new snapshot. @returns what people know now */
export async function announce(tx: Tx, { state, snapshot, config }: Standing, row: SnapshotRow): Promise<Told> {
  const moved =
    row.composite !== snapshot.composite ||
    row.grade !== snapshot.grade ||
    row.config_version !== snapshot.config_version
  if (!moved) return state
  const { result } = row
  await tx.emit(scoreUpdated, tx.tenantId, {
    score: result.composite_score,
    grade: result.grade,
    previous_score: snapshot.result.composite_score,
    previous_grade: snapshot.grade,
    trend: await trendOf(tx, row.composite, { at: row.created_at, windowHours: config.trend_window_hours }),
    pillars: keyed(PILLAR_NAMES, (name) => pillarOf(result, name).score),
    snapshot_id: row.id,
    trigger: row.trigger,
    confidence: result.confidence,
  })
  const told = announcedGrade(state.told_grade, row.composite, toHundredths(config.notify.grade_hysteresis))
  if (told === state.told_grade) return state
  await tx.emit(gradeChanged, tx.tenantId, {
    from: state.told_grade,
    to: told,
    score: result.composite_score,
    direction: compareGrades(told, state.told_grade) < 0 ? 'up' : 'down',
    snapshot_id: row.id,
    top_contributions: await topContributions(tx, { state, config }, row),
  })
  return { told_grade: told, told_snapshot_id: row.id }
}

/** Contributions to the change since the last announced grade; against the prior if that snapshot is gone. */
async function topContributions(
  tx: Tx,
  { state, config }: { readonly state: Told; readonly config: DecayConfig },
  { result }: SnapshotRow,
) {
  const known = state.told_snapshot_id === null ? null : await trustSnapshots.get(tx, state.told_snapshot_id)
  const baseline = known === null ? priorSide(config) : sideOf(known.result, known.inputs.config.prior)
  const { signals, caps } = attribute(sideOf(result, config.prior), baseline, config)
  const all = [
    ...signals.map(({ signal, pillar, phi }) => ({ id: signal, pillar, phi })),
    ...caps.map(({ cap, pillar, phi }) => ({ id: cap, pillar, phi })),
  ]
  return all
    .filter(({ phi }) => phi !== 0)
    .sort((a, b) => Math.abs(b.phi) - Math.abs(a.phi))
    .slice(0, mostContributions)
}
