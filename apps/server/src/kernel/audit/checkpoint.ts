/**
 * Signs the heads of the audit chains every 1,000 entries or five minutes and puts the notes where the database's owner
 * cannot take them back: a chain alone cannot show that its tail was cut. The note is outside before it counts as made.
 * Tested in verify.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { Database, Tx } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { SigningKeys } from '../keys/port.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import type { MadeCheckpoint, Notice } from '../notices/notices.ts'
import type { Meter } from '../observe/meter.ts'
import { type SignedCheckpoint, signCheckpoint } from './note.ts'
import { checkpointSize } from './seal.ts'

/** A place outside the database. Writing the same checkpoint twice must be harmless. */
export interface CheckpointSink {
  write(checkpoint: SignedCheckpoint): Promise<void>
}

export interface CheckpointParts {
  readonly db: Pick<Database, 'system' | 'tenant'>
  readonly clock: Clock
  readonly random: Pick<Random, 'uuid'>
  readonly log: LoopLog
  readonly meter: Meter
  readonly keys: Pick<SigningKeys, 'sign' | 'jwks'>
  /** Where each is before it counts as made; the other places get those that were made. */
  readonly sink: CheckpointSink
  readonly tenants: () => Promise<readonly TenantId[]>
  /** Told of each that is kept. */
  readonly made?: Notice<MadeCheckpoint>
  /** Called after some were kept. */
  readonly kept?: () => void
}

export interface Checkpointer extends Activity {
  wake(): void
}

const longestGapMs = 300_000

export function createCheckpointer(parts: CheckpointParts): Checkpointer {
  const loop = createLoop({
    name: 'audit checkpoints',
    clock: parts.clock,
    log: parts.log,
    everyMs: 30_000,
    run: async () => {
      const made = await makeCheckpoints(parts)
      if (made > 0) {
        parts.meter.count('audit_checkpoint_total', made)
        parts.kept?.()
      }
      return false
    },
  })
  return {
    name: 'audit checkpoints',
    wake: () => loop.wake(),
    start: async () => loop.start(),
    stop: () => loop.stop(),
  }
}

/**
 * The place outside may be slow, so no transaction is open while it is written to. Two instances at it write the same
 * note twice, which is harmless, and one of them keeps it.
 */
async function makeCheckpoints(parts: CheckpointParts): Promise<number> {
  const tenants = await parts.tenants()
  const before = new Date(parts.clock.now() - longestGapMs).toISOString()
  const due = await parts.db.system('audit heads', (tx) => tx.query(dueHeads(tenants, before)))
  for (const head of due) {
    const checkpoint = await signCheckpoint(parts.keys, { ...head, at: parts.clock.iso() })
    await parts.sink.write(checkpoint)
    await parts.db.tenant({ tenantId: checkpoint.tenantId as TenantId }, (tx) => keepCheckpoint(tx, parts, checkpoint))
  }
  return due.length
}

async function keepCheckpoint(tx: Tx, { random, made }: CheckpointParts, checkpoint: SignedCheckpoint): Promise<void> {
  const { tenantId, size, headHash, note, at } = checkpoint
  await tx.lock('audit_checkpoint', tenantId)
  const kept = await tx.execute(sql`
    insert into audit_checkpoint (tenant_id, id, size, head_hash, note, at)
    select ${tenantId}::uuid, ${random.uuid()}::uuid, ${size}::bigint, ${headHash}::text, ${note}::text, ${at}::timestamptz
    where not exists (select from audit_checkpoint where tenant_id = ${tenantId} and size = ${size})`)
  if (kept > 0) await made?.(tx, { size, headHash })
}

const dueHeads = (tenants: readonly TenantId[], before: string) => sql<{
  tenantId: string
  size: number
  headHash: string
}>`
  select t.tenant_id as "tenantId", head.seq as size, head.hash as "headHash"
  from unnest(${[...tenants]}::uuid[]) as t(tenant_id)
  cross join lateral (
    select seq, hash from audit_seal where tenant_id = t.tenant_id order by seq desc limit 1) head
  left join lateral (
    select size, at from audit_checkpoint where tenant_id = t.tenant_id order by size desc limit 1) last on true
  where last.size is null
    or (head.seq > last.size and (last.at < ${before}::timestamptz or head.seq - last.size >= ${checkpointSize}))`
