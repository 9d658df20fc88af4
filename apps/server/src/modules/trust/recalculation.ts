import type { Static } from 'typebox'
import { sha256 } from '../../kernel/crypto/digest.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import { collectEvidence } from './collect-evidence.ts'
import type { DecayConfig } from './engine/config.ts'
import type { Evidence } from './engine/evidence.ts'
import { toHundredths } from './engine/fixed-point.ts'
import { announcedGrade, compareGrades, type Grade } from './engine/grade.ts'
import { keyed } from './engine/keyed.ts'
import { retainEvidence } from './engine/retention.ts'
import { PILLAR_NAMES } from './engine/signals.ts'
import { type Snapshot as EngineSnapshot, takeSnapshot } from './engine/snapshot.ts'
import { gradeChanged, scoreUpdated } from './events.ts'
import type { TrustParts } from './parts.ts'
import { trendOf } from './past-scores.ts'
import type { Trigger } from './schemas.ts'
import { seedTrust } from './seed.ts'
import { type Cause, pillarOf, type SnapshotRow, scoreColumns, snapshotRow } from './snapshots.ts'
import { type trustConfigs, trustSnapshots, trustStates } from './tables.ts'

const MS_PER_DAY = 86_400_000

/**
 * Scores the tenant now and stores what changed, one run at a time per tenant. When the run changes nothing worth
 * keeping, only its evidence and time are noted and the snapshot before it stays the current one.
 * @returns the snapshot that is current after the run
 */
export async function recalculate(parts: TrustParts, tx: Tx, cause: Cause): Promise<SnapshotRow> {
  await lockScore(tx)
  return runLocked(parts, tx, cause)
}

/** Lets one run at a time into a tenant's score; held until the transaction ends, and may be taken again in it. */
export function lockScore(tx: Tx): Promise<void> {
  return tx.lock('trust.recalculate', tx.tenantId)
}

/**
 * A recalculation somebody asks for: always leaves a snapshot, unless one was taken while this call waited for its
 * turn, which then answers it too.
 */
export async function recalculateNow(parts: TrustParts, tx: Tx, reason: string | null): Promise<SnapshotRow> {
  const asked = parts.clock.iso()
  await lockScore(tx)
  const before = await readStanding(parts, tx)
  const joined = before.snapshot.created_at > asked
  const after = joined ? before.snapshot : await runLocked(parts, tx, { trigger: 'manual', eventId: null })
  await tx.audit('trust.recalculate', {
    target: `trust_snapshot:${after.id}`,
    before: scoreColumns(before.snapshot.result),
    after: scoreColumns(after.result),
    ...(reason === null ? {} : { reason }),
  })
  return after
}

async function runLocked(parts: TrustParts, tx: Tx, cause: Cause): Promise<SnapshotRow> {
  const standing = await readStanding(parts, tx)
  const { state, snapshot, config } = standing
  // Instances disagree about the time by a little, and history must not run backward.
  const now = parts.clock.iso()
  const at = now > state.last_recalculated_at ? now : state.last_recalculated_at
  const evidence = retainEvidence(state.evidence, await collectEvidence(parts, tx, at))
  const taken = takeSnapshot({ at, config, ...evidence }, sha256)
  if (!worthKeeping(cause.trigger, snapshot, taken)) {
    await keepState(tx, taken, { snapshotId: snapshot.id, toldGrade: state.told_grade })
    return snapshot
  }
  const row = snapshotRow(taken, { id: parts.random.uuid(), tenant_id: tx.tenantId, cause })
  const toldGrade = await tell(tx, standing, row)
  await trustSnapshots.insert(tx, row)
  await keepState(tx, taken, { snapshotId: row.id, toldGrade })
  return row
}

interface Standing {
  readonly state: { readonly evidence: Evidence; readonly told_grade: Grade; readonly last_recalculated_at: string }
  readonly snapshot: SnapshotRow
  readonly config: DecayConfig
}

/** Where the tenant stands; one that was made before there was a score gets its first here. */
async function readStanding(parts: TrustParts, tx: Tx): Promise<Standing> {
  const known = await findState(tx)
  if (known === null) await seedTrust(parts, tx)
  const state = known ?? (await findState(tx))
  if (state === null) throw new Error('A tenant that was just seeded has no trust score.')
  const [snapshot, active] = await Promise.all([
    trustSnapshots.need(tx, state.snapshot_id),
    tx.first(sql<Pick<Static<(typeof trustConfigs)['row']>, 'config'>>`
      select config from trust_config where status = 'active'`),
  ])
  if (active === null) throw new Error('A tenant with a trust score has no active decay configuration.')
  return { state, snapshot, config: active.config }
}

function findState(tx: Tx): Promise<Static<(typeof trustStates)['row']> | null> {
  return tx.first(sql<Static<(typeof trustStates)['row']>>`select ${trustStates.columns} from trust_state`)
}

/**
 * Traffic moves a pillar by a hundredth all the time, so a run caused by an event is kept when the composite shows it;
 * the hourly run also keeps what only a pillar shows, and at least one snapshot a day.
 */
function worthKeeping(trigger: Trigger, before: SnapshotRow, taken: EngineSnapshot): boolean {
  const now = scoreColumns(taken.result)
  if (now.composite !== before.composite || now.grade !== before.grade) return true
  if (taken.config_version !== before.config_version || trigger === 'manual') return true
  if (trigger === 'event') return false
  const ageMs = Date.parse(taken.inputs.at) - Date.parse(before.created_at)
  return ageMs >= MS_PER_DAY || PILLAR_NAMES.some((name) => now[name] !== before[name])
}

async function keepState(
  tx: Tx,
  taken: EngineSnapshot,
  { snapshotId, toldGrade }: { readonly snapshotId: string; readonly toldGrade: Grade },
): Promise<void> {
  const evidence: Evidence = { signals: taken.inputs.signals, caps: taken.inputs.caps }
  await tx.execute(sql`
    update trust_state set snapshot_id = ${snapshotId}, evidence = ${JSON.stringify(evidence)}, told_grade = ${toldGrade},
      last_recalculated_at = ${taken.inputs.at}`)
}

/** Emits what subscribers hear of a new snapshot. @returns the grade people know now */
async function tell(tx: Tx, { state, snapshot, config }: Standing, row: SnapshotRow): Promise<Grade> {
  const moved =
    row.composite !== snapshot.composite ||
    row.grade !== snapshot.grade ||
    row.config_version !== snapshot.config_version
  if (!moved) return state.told_grade
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
  if (told === state.told_grade) return told
  const direction = compareGrades(told, state.told_grade) < 0 ? 'up' : 'down'
  const change = {
    from: state.told_grade,
    to: told,
    score: result.composite_score,
    direction,
    snapshot_id: row.id,
  } as const
  await tx.emit(gradeChanged, tx.tenantId, change)
  return told
}
