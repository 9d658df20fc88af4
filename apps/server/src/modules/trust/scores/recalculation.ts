import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { TrustParts } from '../declared/parts.ts'
import type { Trigger } from '../declared/schemas.ts'
import { trustSnapshots } from '../declared/tables.ts'
import type { Evidence } from '../engine/evidence.ts'
import { retainEvidence } from '../engine/retention.ts'
import { PILLAR_NAMES } from '../engine/signals.ts'
import { type Snapshot as EngineSnapshot, takeSnapshot } from '../engine/snapshot.ts'
import { callsUntilMove } from '../engine/traffic.ts'
import { announce, type Told } from './announcement.ts'
import { collectEvidence } from './collect-evidence.ts'
import { planForecast } from './forecast-run.ts'
import { seedTrust } from './seed.ts'
import { type Cause, type SnapshotRow, scoreColumns, snapshotRow } from './snapshots.ts'
import { findStanding, needStanding, type Standing } from './standing.ts'

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
 * A recalculation on request: always leaves a snapshot, unless one was taken while this call waited for its
 * turn, which then answers it too.
 */
export async function recalculateNow(parts: TrustParts, tx: Tx, reason: string | null): Promise<SnapshotRow> {
  const asked = parts.clock.iso()
  await lockScore(tx)
  const before = await standingOrFirst(parts, tx)
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
  const standing = await standingOrFirst(parts, tx)
  const { state, snapshot, config } = standing
  // Instances disagree about the time by a little, and history must not run backward.
  const now = parts.clock.iso()
  const at = now > state.last_recalculated_at ? now : state.last_recalculated_at
  const evidence = retainEvidence(state.evidence, await collectEvidence(parts, tx, at))
  const taken = takeSnapshot({ at, config, ...evidence }, sha256)
  await planForecast(tx, taken)
  if (!worthKeeping(cause.trigger, snapshot, taken)) {
    await keepState(tx, taken, { snapshotId: snapshot.id, told: state })
    return snapshot
  }
  const row = snapshotRow(taken, { id: parts.random.uuid(), tenant_id: tx.tenantId, cause })
  const told = await announce(tx, standing, row)
  await trustSnapshots.insert(tx, row)
  await keepState(tx, taken, { snapshotId: row.id, told })
  return row
}

/** The standing of the tenant; a tenant created before scores existed gets its first here. */
async function standingOrFirst(parts: TrustParts, tx: Tx): Promise<Standing> {
  const known = await findStanding(tx)
  if (known !== null) return known
  await seedTrust(parts, tx)
  return needStanding(tx)
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
  { inputs }: EngineSnapshot,
  { snapshotId, told }: { readonly snapshotId: string; readonly told: Told },
): Promise<void> {
  const evidence: Evidence = { signals: inputs.signals, caps: inputs.caps }
  const calls = callsUntilMove({ before: inputs.signals, now: inputs.signals, config: inputs.config, at: inputs.at })
  await tx.execute(sql`
    update trust_state set snapshot_id = ${snapshotId}, evidence = ${JSON.stringify(evidence)},
      told_grade = ${told.told_grade}, told_snapshot_id = ${told.told_snapshot_id},
      calls_since = 0, calls_until_look = ${calls}, last_recalculated_at = ${inputs.at}`)
}
