import type { Static } from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { trustConfigs, trustSnapshots, trustStates } from '../declared/tables.ts'
import type { DecayConfig } from '../engine/config.ts'
import type { ScoreInput } from '../engine/score.ts'
import type { SnapshotRow } from './snapshots.ts'

export type ConfigRow = Static<(typeof trustConfigs)['row']>
export type StateRow = Static<(typeof trustStates)['row']>

/** Standing of a tenant: its state, the newest snapshot and the configuration in force. */
export interface Standing {
  readonly state: StateRow
  readonly snapshot: SnapshotRow
  readonly config: DecayConfig
}

/** Null for a tenant from before there was a score, until its first run. */
export async function findStanding(tx: Tx): Promise<Standing | null> {
  const state = await tx.first(sql<StateRow>`select ${trustStates.columns} from trust_state`)
  if (state === null) return null
  const [snapshot, active] = await Promise.all([
    trustSnapshots.need(tx, state.snapshot_id),
    tx.first(sql<ConfigRow>`select ${trustConfigs.columns} from trust_config where status = 'active'`),
  ])
  if (active === null) throw new Error('A tenant with a trust score has no active decay configuration.')
  return { state, snapshot, config: active.config }
}

/** @throws API-013 before the tenant's first score */
export async function needStanding(tx: Tx): Promise<Standing> {
  const standing = await findStanding(tx)
  if (standing === null) throw apiErrors.notFound({ what: 'trust score' })
  return standing
}

/**
 * All that the last run scored. It gives the composite of the newest snapshot, whose evidence may be older: a run that
 * changes no score stores none.
 */
export function lastRun({ state, config }: Standing): ScoreInput {
  return { at: state.last_recalculated_at, config, signals: state.evidence.signals, caps: state.evidence.caps }
}
