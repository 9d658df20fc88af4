/**
 * Positions the server keeps for a client under a name: at most twenty a tenant, dropped after a week unused. The name
 * belongs to the user who made it, and the newest connection that uses it takes it over. Tested in resume.test.ts.
 */

import type { TenantId } from '../../access/actor.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../crypto/random.ts'
import type { Database, Tx } from '../../db/port.ts'
import { json, sql } from '../../db/sql.ts'

export interface Durable {
  readonly id: string
  readonly name: string
  /** Last sequence by channel. */
  readonly positions: Readonly<Record<string, number>>
  /** The client acknowledges; positions then move by its word only, not by writing to the socket. */
  readonly acknowledges: boolean
}

export interface DurableOwner {
  readonly tenantId: TenantId
  readonly userId: string
  readonly connectionId: string
}

export interface DurableParts {
  readonly db: Pick<Database, 'tenant'>
  readonly clock: Pick<Clock, 'iso'>
  readonly random: Pick<Random, 'uuid'>
}

export const durablesPerTenant = 20
/** Live topic that tells other connections a name was taken over; the key is the subscription's id. */
export const takenOverTopic = 'stream.durable'

/** Opens or makes the subscription and takes it over; null when the tenant has too many. */
export function openDurable(parts: DurableParts, owner: DurableOwner, name: string): Promise<Durable | null> {
  return parts.db.tenant({ tenantId: owner.tenantId }, async (tx) => {
    await tx.lock('durable_subscription', owner.tenantId)
    const durable = (await findDurable(tx, parts, { owner, name })) ?? (await makeDurable(tx, parts, { owner, name }))
    if (durable !== null) await tx.announce(takenOverTopic, durable.id, { connection_id: owner.connectionId })
    return durable
  })
}

interface Named {
  readonly owner: DurableOwner
  readonly name: string
}

function findDurable(tx: Tx, parts: DurableParts, { owner, name }: Named): Promise<Durable | null> {
  return tx.first(sql<Durable>`
    update durable_subscription set updated_at = ${parts.clock.iso()}
    where user_id = ${owner.userId} and name = ${name}
    returning id, name, positions, acknowledges`)
}

async function makeDurable(tx: Tx, parts: DurableParts, { owner, name }: Named): Promise<Durable | null> {
  const held = await tx.first(sql<{ count: number }>`select count(*)::int as count from durable_subscription`)
  if ((held?.count ?? 0) >= durablesPerTenant) return null
  const id = parts.random.uuid()
  await tx.execute(sql`
    insert into durable_subscription (tenant_id, id, user_id, name, positions, updated_at)
    values (${owner.tenantId}, ${id}, ${owner.userId}, ${name}, '{}', ${parts.clock.iso()})`)
  return { id, name, positions: {}, acknowledges: false }
}

/** Stores positions; they never move back, even if several connections write. */
export async function keepDurable(
  parts: DurableParts,
  tenantId: TenantId,
  kept: Pick<Durable, 'id' | 'positions' | 'acknowledges'>,
): Promise<void> {
  await parts.db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`
      update durable_subscription d
      set positions = d.positions || (
          select coalesce(jsonb_object_agg(n.key, greatest((n.value)::bigint, coalesce((d.positions ->> n.key)::bigint, 0))), '{}')
          from jsonb_each_text(${json(kept.positions)}::jsonb) n),
        acknowledges = d.acknowledges or ${kept.acknowledges}, updated_at = ${parts.clock.iso()}
      where id = ${kept.id}`),
  )
}

/** Sequences of the events a client acknowledges; unknown ids and ids of other channels are left out. */
export async function acknowledgedSequences(
  parts: DurableParts,
  tenantId: TenantId,
  positions: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  const ids = Object.values(positions)
  const rows = await parts.db.tenant({ tenantId, readOnly: true }, (tx) =>
    tx.query(sql<{ id: string; channel: string; sequence: number }>`
      select id, channel, sequence from event_log where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`),
  )
  return Object.fromEntries(
    rows.filter((row) => positions[row.channel]?.toLowerCase() === row.id).map((row) => [row.channel, row.sequence]),
  )
}
