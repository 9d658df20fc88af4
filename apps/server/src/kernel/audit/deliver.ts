/**
 * Delivers kept checkpoints to the places beyond the folder, in order, each as often as it takes: a place that does not
 * answer loses none and holds up no other place. Deliveries are recorded by tenant and place, so a kill repeats at
 * most one of them. Tested in deliver.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import type { Meter } from '../observe/meter.ts'
import type { CheckpointSink } from './checkpoint.ts'
import type { SignedCheckpoint } from './note.ts'

export interface CheckpointPlace {
  readonly name: 'webhook' | 's3' | 'syslog'
  readonly sink: CheckpointSink
}

export interface DeliveryParts {
  readonly db: Pick<Database, 'system'>
  readonly clock: Clock
  readonly log: LoopLog
  readonly meter: Meter
  readonly places: readonly CheckpointPlace[]
  readonly tenants: () => Promise<readonly TenantId[]>
}

export interface Delivery extends Activity {
  wake(): void
}

/** Checkpoints of one tenant that are taken before another one's turn. */
const turn = 100
/** Milliseconds for which a tenant's notes are one instance's business; above what a place may take for one note. */
const claimMs = 300_000

export function createDelivery(parts: DeliveryParts): Delivery {
  const loops = parts.places.map((place) =>
    createLoop({
      name: `audit checkpoints to ${place.name}`,
      clock: parts.clock,
      log: parts.log,
      everyMs: 30_000,
      run: (signal) => deliverTo(parts, place, signal),
    }),
  )
  return {
    name: 'audit checkpoint delivery',
    wake: () => {
      for (const loop of loops) loop.wake()
    },
    start: async () => {
      for (const loop of loops) loop.start()
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/** Tenants by turns until none has anything for this place. */
async function deliverTo(parts: DeliveryParts, place: CheckpointPlace, signal: AbortSignal): Promise<boolean> {
  const tenants = await parts.tenants()
  await parts.db.system('audit checkpoint delivery', (tx) => tx.execute(begin(place.name, tenants)))
  while (!signal.aborted && (await takeTurn(parts, place))) {}
  return false
}

/** False when no tenant has anything for this place. */
async function takeTurn({ db, clock, meter }: DeliveryParts, { name, sink }: CheckpointPlace): Promise<boolean> {
  const claimEnd = (): string => new Date(clock.now() + claimMs).toISOString()
  const claim = await db.system('audit checkpoint delivery', (tx) =>
    tx.first(claimNext(name, { now: clock.iso(), until: claimEnd() })),
  )
  if (claim === null) return false
  const reached = (size: number, until: string | null) =>
    db.system('audit checkpoint delivery', (tx) =>
      tx.execute(sql`
        update audit_delivery set size = greatest(size, ${size}::bigint), claimed_until = ${until}::timestamptz
        where tenant_id = ${claim.tenant_id} and place = ${name}`),
    )
  let last = claim.size
  try {
    for (const checkpoint of await db.system('audit checkpoint delivery', (tx) => tx.query(notesAfter(claim)))) {
      await sink.write(checkpoint)
      last = checkpoint.size
      meter.count('audit_checkpoint_delivered_total')
      await reached(last, claimEnd())
    }
  } finally {
    await reached(last, null)
  }
  return true
}

/** A place that is new gets the newest checkpoint, which covers those before it. */
const begin = (place: string, tenants: readonly TenantId[]) => sql`
  insert into audit_delivery (tenant_id, place, size)
  select t.tenant_id, ${place}::text, coalesce(
    (select size from audit_checkpoint c where c.tenant_id = t.tenant_id order by size desc offset 1 limit 1), 0)
  from unnest(${[...tenants]}::uuid[]) as t(tenant_id)
  where not exists (select from audit_delivery d where d.tenant_id = t.tenant_id and d.place = ${place}::text)
  on conflict do nothing`

interface Claim {
  readonly tenant_id: string
  readonly size: number
}

/**
 * The tenant whose turn was longest ago, so that a note a place refuses does not stand before those of other tenants.
 */
const claimNext = (place: string, { now, until }: { readonly now: string; readonly until: string }) => sql<Claim>`
  update audit_delivery set claimed_until = ${until}::timestamptz, tried_at = ${now}::timestamptz
  where place = ${place} and tenant_id = (
    select d.tenant_id from audit_delivery d
    where d.place = ${place} and (d.claimed_until is null or d.claimed_until < ${now}::timestamptz)
      and exists (select from audit_checkpoint c where c.tenant_id = d.tenant_id and c.size > d.size)
    order by d.tried_at nulls first, d.tenant_id limit 1 for update skip locked)
  returning tenant_id, size`

const notesAfter = ({ tenant_id: tenantId, size }: Claim) => sql<SignedCheckpoint>`
  select tenant_id as "tenantId", size, head_hash as "headHash", note, at from audit_checkpoint
  where tenant_id = ${tenantId} and size > ${size} order by size limit ${turn}`
