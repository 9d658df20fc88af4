/**
 * The sealer gives audit entries their places in the tenants' hash chains, at most a second after their commit and in
 * commit order as far as transactions tell it; no request waits for it. One sealer works at a time. An entry that
 * disappeared before its seal is reported, since nothing else would show it. Tested in verify.test.ts.
 */

import type { Clock } from '../base/clock.ts'
import type { Database, SystemTx } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import { isOurTurn, takeTurn } from '../db/turn.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import type { Meter } from '../observe/meter.ts'
import { type ChainHead, type Seal, sealEntries } from './chain.ts'
import { type AuditEntryRow, auditEntry } from './tables.ts'

export interface SealerParts {
  /** Milliseconds between polls; default 1,000. Longer where no other process writes. */
  readonly pollMs?: number
  readonly db: Pick<Database, 'system'>
  readonly clock: Clock
  readonly log: LoopLog
  readonly meter: Meter
  /** Called after a batch in which a chain passed a multiple of `checkpointSize`. */
  readonly checkpointDue: () => void
}

export interface Sealer extends Activity {
  wake(): void
}

/** A signed checkpoint is due every so many entries. */
export const checkpointSize = 1_000
const batchSize = 1_000

export function createSealer(parts: SealerParts): Sealer {
  const loop = createLoop({
    name: 'audit sealer',
    clock: parts.clock,
    log: parts.log,
    everyMs: parts.pollMs ?? 1_000,
    // Seals of many small changes are made together: a wake per commit would cost a transaction per commit.
    gatherMs: 100,
    run: async () => {
      const batch = await parts.db.system('audit sealer', (tx) => sealBatch(tx, parts.clock.iso()))
      if (batch === null) return false
      report(parts, batch)
      return batch.pending === batchSize
    },
  })
  return {
    name: 'audit sealer',
    wake: () => loop.wake(),
    start: async () => loop.start(),
    stop: () => loop.stop(),
  }
}

interface SealedBatch {
  readonly pending: number
  readonly seals: readonly Seal[]
  readonly oldest: string | null
  readonly vanished: readonly string[]
}

function report(parts: SealerParts, batch: SealedBatch): void {
  const lagMs = batch.oldest === null ? 0 : parts.clock.now() - Date.parse(batch.oldest)
  parts.meter.gauge('audit_seal_lag_seconds', Math.max(0, lagMs / 1_000))
  if (batch.seals.length > 0) parts.meter.count('audit_sealed_total', batch.seals.length)
  if (batch.vanished.length > 0) {
    parts.meter.count('audit_vanished_total', batch.vanished.length)
    parts.log.error({ entries: batch.vanished }, 'audit entries disappeared before they were sealed')
  }
  if (batch.seals.some((seal) => seal.seq % checkpointSize === 0)) parts.checkpointDue()
}

/** Seals one batch; null when another instance is at it. */
export async function sealBatch(tx: SystemTx, now: string): Promise<SealedBatch | null> {
  const [turn, pending] = await Promise.all([tx.first(takeTurn('parapet.audit-sealer')), tx.query(pendingEntries)])
  if (turn?.got !== true) return null
  if (pending.length === 0) return { pending: 0, seals: [], oldest: null, vanished: [] }
  const entries = pending.flatMap(({ pending_tenant: _tenant, pending_id: _id, ...row }) => {
    return row.id === null ? [] : [row as AuditEntryRow]
  })
  const seals = sealEntries(await chainHeads(tx, new Set(entries.map((entry) => entry.tenant_id))), entries)
  await Promise.all([storeSeals(tx, seals, now), removePending(tx, pending)])
  return {
    pending: pending.length,
    seals,
    oldest: entries[0]?.at ?? null,
    vanished: pending.filter((row) => row.id === null).map((row) => row.pending_id),
  }
}

type PendingRow = (AuditEntryRow | { readonly id: null }) & {
  readonly pending_tenant: string
  readonly pending_id: string
}

/**
 * Only of transactions older than every open one, so that nothing can still slip in before them. Each entry is looked up
 * by its key, which the limit leaves the planner no other way to do: it would read the whole log where it thinks it small.
 */
const pendingEntries = sql<PendingRow>`
  select entry.*, pending_tenant, pending_id
  from (
    select tenant_id as pending_tenant, id as pending_id, xid as pending_xid from audit_pending
    where xid < pg_snapshot_xmin(pg_current_snapshot()) and ${isOurTurn}
    order by xid, id limit ${batchSize}) pending
  left join lateral (
    select ${auditEntry.columns} from audit_entry where tenant_id = pending_tenant and id = pending_id limit 1) entry on true
  order by pending_xid, pending_id`

async function chainHeads(tx: SystemTx, tenants: ReadonlySet<string>): Promise<Map<string, ChainHead>> {
  const rows = await tx.query(sql<ChainHead & { tenantId: string }>`
    select t.tenant_id as "tenantId", s.seq as size, s.hash
    from unnest(${[...tenants]}::uuid[]) as t(tenant_id)
    cross join lateral (
      select seq, hash from audit_seal where tenant_id = t.tenant_id order by seq desc limit 1) s`)
  return new Map(rows.map(({ tenantId, ...head }) => [tenantId, head]))
}

async function storeSeals(tx: SystemTx, seals: readonly Seal[], now: string): Promise<void> {
  await tx.execute(sql`
    insert into audit_seal (tenant_id, seq, entry_id, prev_hash, hash, sealed_at)
    select tenant_id, seq, entry_id, prev_hash, hash, ${now}::timestamptz
    from unnest(
      ${seals.map((seal) => seal.tenantId)}::uuid[], ${seals.map((seal) => seal.seq)}::bigint[],
      ${seals.map((seal) => seal.entryId)}::uuid[], ${seals.map((seal) => seal.prevHash)}::text[],
      ${seals.map((seal) => seal.hash)}::text[]) as t(tenant_id, seq, entry_id, prev_hash, hash)`)
}

async function removePending(tx: SystemTx, pending: readonly PendingRow[]): Promise<void> {
  await tx.execute(sql`
    delete from audit_pending p
    using unnest(${pending.map((row) => row.pending_tenant)}::uuid[], ${pending.map((row) => row.pending_id)}::uuid[])
      as t(tenant_id, id)
    where p.tenant_id = t.tenant_id and p.id = t.id`)
}
