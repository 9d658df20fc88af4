/** Reads and writes the learned state of an agent. */
import type { Tx } from '../../../kernel/db/port.ts'
import { recordset } from '../../../kernel/db/rows.ts'
import { json, sql } from '../../../kernel/db/sql.ts'
import { type BaselineState, type Bucket, emptyState } from './engine/state.ts'
import { baselineBuckets } from './tables.ts'

/** @param since hour of the first activity, where nothing is stored yet */
export async function readState(tx: Tx, agentId: string, since: number): Promise<BaselineState> {
  return (await findState(tx, agentId)) ?? emptyState(since)
}

export async function findState(tx: Tx, agentId: string): Promise<BaselineState | null> {
  const row = await tx.first(
    sql<{ state: BaselineState }>`select state from aegis_baseline where agent_id = ${agentId}`,
  )
  return row?.state ?? null
}

interface BucketRow {
  readonly bucket: number
  readonly rings: Bucket
}

export async function readBuckets(tx: Tx, agentId: string): Promise<ReadonlyMap<number, Bucket>> {
  const rows = await tx.query(
    sql<BucketRow>`select bucket, rings from aegis_baseline_bucket where agent_id = ${agentId} order by bucket`,
  )
  return new Map(rows.map(({ bucket, rings }) => [bucket, rings]))
}

export interface Learned {
  readonly agentId: string
  readonly state: BaselineState
  /** Those that changed. */
  readonly buckets: ReadonlyMap<number, Bucket>
  readonly at: string
}

export async function writeLearned(tx: Tx, { agentId, state, buckets, at }: Learned): Promise<void> {
  await tx.execute(sql`
    insert into aegis_baseline (agent_id, state, updated_at) values (${agentId}, ${json(state)}::jsonb, ${at})
    on conflict (tenant_id, agent_id) do update set state = excluded.state, updated_at = excluded.updated_at`)
  if (buckets.size === 0) return
  const rows = [...buckets].map(([bucket, rings]) => ({ agent_id: agentId, bucket, rings }))
  await tx.execute(sql`
    insert into aegis_baseline_bucket (agent_id, bucket, rings)
    select agent_id, bucket, rings from ${recordset(baselineBuckets, rows)} as row
    on conflict (tenant_id, agent_id, bucket) do update set rings = excluded.rings`)
}
