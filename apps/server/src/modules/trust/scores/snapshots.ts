import type { Static } from 'typebox'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { Snapshot, SnapshotWithInputs, Trigger } from '../declared/schemas.ts'
import { trustSnapshots } from '../declared/tables.ts'
import { toHundredths } from '../engine/fixed-point.ts'
import { keyed } from '../engine/keyed.ts'
import type { ComposedScore } from '../engine/score.ts'
import { PILLAR_NAMES, type PillarName } from '../engine/signals.ts'
import { type Snapshot as EngineSnapshot, verifySnapshot } from '../engine/snapshot.ts'

export type SnapshotRow = Static<(typeof trustSnapshots)['row']>

/** Why a snapshot is taken. */
export interface Cause {
  readonly trigger: Trigger
  readonly eventId: string | null
}

/** A snapshot with its inputs; with `verify` also what its inputs give now. @throws API-013 */
export async function readSnapshot(
  tx: Tx,
  id: string,
  options: { readonly verify: boolean },
): Promise<SnapshotWithInputs> {
  const row = await trustSnapshots.need(tx, id)
  const shown = { ...snapshotView(row), inputs: row.inputs }
  return options.verify ? { ...shown, verification: verified(row) } : shown
}

/** A snapshot as people see it, without its inputs. */
export function snapshotView(row: SnapshotRow): Snapshot {
  const { id, tenant_id, created_at, trigger, trigger_event_id, algorithm, config_version, inputs_sha256 } = row
  const own = { id, tenant_id, created_at, trigger, trigger_event_id, algorithm, config_version, inputs_sha256 }
  return { ...own, ...row.result }
}

/** The row of a snapshot that was just taken; its time is the moment that was scored. */
export function snapshotRow(
  taken: EngineSnapshot,
  facts: Pick<SnapshotRow, 'id' | 'tenant_id'> & { readonly cause: Cause },
): SnapshotRow {
  const { result, inputs } = taken
  return {
    id: facts.id,
    tenant_id: facts.tenant_id,
    created_at: inputs.at,
    trigger: facts.cause.trigger,
    trigger_event_id: facts.cause.eventId,
    algorithm: taken.algorithm,
    config_version: taken.config_version,
    ...scoreColumns(result),
    inputs,
    inputs_sha256: taken.inputs_sha256,
    result,
  }
}

/** The scores in hundredths, as history and trend read them. */
export function scoreColumns(result: ComposedScore) {
  return {
    composite: toHundredths(result.composite_score),
    grade: result.grade,
    ...keyed(PILLAR_NAMES, (name) => toHundredths(pillarOf(result, name).score)),
  }
}

export function pillarOf<P extends { readonly pillar: PillarName }>(
  score: { readonly pillars: readonly P[] },
  name: PillarName,
): P {
  const found = score.pillars.find(({ pillar }) => pillar === name)
  if (found === undefined) throw new RangeError(`The score has no pillar ${name}.`)
  return found
}

function verified(row: SnapshotRow): NonNullable<SnapshotWithInputs['verification']> {
  const verification = verifySnapshot(row, sha256)
  // History and trend read the columns, so a column that was changed alone must be noticed too.
  const columns = Object.entries(scoreColumns(verification.recomputed))
  const sameColumns = columns.every(([name, value]) =>
    Object.entries(row).some(([key, own]) => key === name && own === value),
  )
  return { ...verification, equal: verification.equal && sameColumns && row.created_at === row.inputs.at }
}
