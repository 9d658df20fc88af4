import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { TrustParts } from '../declared/parts.ts'
import { trustConfigs, trustSnapshots, trustStates } from '../declared/tables.ts'
import { DEFAULT_DECAY_CONFIG } from '../engine/config-defaults.ts'
import { takeSnapshot } from '../engine/snapshot.ts'
import { snapshotRow } from './snapshots.ts'

/** Version 1 of the decay configuration and the first snapshot, made of priors alone: a tenant has a score from the start. */
export async function seedTrust(parts: Pick<TrustParts, 'clock' | 'random'>, tx: Tx): Promise<void> {
  const config = DEFAULT_DECAY_CONFIG
  const at = parts.clock.iso()
  const taken = takeSnapshot({ at, config, signals: [], caps: [] }, sha256)
  const cause = { trigger: 'config', eventId: null } as const
  const row = snapshotRow(taken, { id: parts.random.uuid(), tenant_id: tx.tenantId, cause })
  await trustConfigs.insert(tx, {
    tenant_id: tx.tenantId,
    version: config.version,
    config,
    status: 'active',
    created_by: tx.origin.actor?.userId ?? null,
    created_at: at,
  })
  await trustSnapshots.insert(tx, row)
  await trustStates.insert(tx, {
    tenant_id: tx.tenantId,
    snapshot_id: row.id,
    evidence: { signals: [], caps: [] },
    told_grade: row.grade,
    told_snapshot_id: row.id,
    calls_since: 0,
    calls_until_look: 1,
    last_recalculated_at: at,
    prompt_run_at: null,
  })
}
