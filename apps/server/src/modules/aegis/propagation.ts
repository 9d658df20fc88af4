/**
 * How far an activation got. The switch names the instances that must enforce it; each notes when it did, by the
 * database's clock, and the figures are made anew from all notes. Promises figures about every instance that could let a
 * call through when the switch was activated; one that died meanwhile stays without a note. Tested in
 * propagation.test.ts.
 */
import type { TenantId } from '../../kernel/access/actor.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { json, sql } from '../../kernel/db/sql.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { leaseMs } from './lease.ts'
import type { KillSwitch, Propagation } from './schemas.ts'

/** Notes of each instance; null for one that must enforce the switch and has not reported yet. */
export type InstanceNotes = Readonly<Record<string, Note | null>>

export interface Note {
  /** From the activation to its enforcement there, with the way to the database. */
  readonly ms: number
  /** Running calls it aborted. */
  readonly aborted: number
}

export function propagationOf(notes: InstanceNotes): Propagation {
  const made = Object.values(notes).filter((note) => note !== null)
  const times = made.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return {
    nodes_total: Object.keys(notes).length,
    nodes_acked: made.length,
    p50_ms: times[Math.ceil(times.length / 2) - 1] ?? 0,
    max_ms: times.at(-1) ?? 0,
    inflight_aborted: made.reduce((sum, { aborted }) => sum + aborted, 0),
  }
}

/** Every instance that may trust its list now, with the note of the one that asks; null where it will enforce the switch later. */
export async function expectedNotes(tx: Tx, node: string, own: Note | null): Promise<InstanceNotes> {
  const others = await tx.query(
    sql<{ name: string }>`
      select name from aegis_instance
      where seen_at > clock_timestamp() - make_interval(secs => ${leaseMs / 1000}) and name <> ${node}
      order by name`,
  )
  return { ...Object.fromEntries(others.map(({ name }) => [name, null])), [node]: own }
}

export async function keepNotes(tx: Tx, id: string, notes: InstanceNotes): Promise<void> {
  await tx.execute(sql`update aegis_kill_switch set instances = ${json(notes)} where id = ${id}`)
}

/** A switch that came into force here from another instance, and the calls it ended. */
export interface Enforced {
  readonly killSwitch: Pick<KillSwitch, 'id' | 'tenant_id'>
  readonly aborted: number
}

/** Notes that this instance enforces the switch; changes nothing when no activation waits for it. */
export function acknowledge({ db, node }: Pick<Kernel, 'db' | 'node'>, enforced: Enforced): Promise<void> {
  const { id, tenant_id } = enforced.killSwitch
  return db.system('kill switch acknowledged', async (tx) => {
    // The row stays locked from here on, so that notes of two instances at once both count.
    const row = await tx.first(
      sql<{ instances: InstanceNotes }>`
        update aegis_kill_switch
        set instances = jsonb_set(instances, array[${node}::text], jsonb_build_object(
          'ms', greatest(0, round(extract(epoch from clock_timestamp() - enforced_at) * 1000, 3)),
          'aborted', ${enforced.aborted}::int))
        where tenant_id = ${tenant_id} and id = ${id} and instances -> ${node}::text = 'null'::jsonb
        returning instances`,
    )
    if (row === null) return
    await tx.execute(sql`
      update aegis_kill_switch set propagation = ${json(propagationOf(row.instances))}
      where tenant_id = ${tenant_id} and id = ${id}`)
  })
}

/** An instance that is gone without a word must not hold the answer for longer. */
const longestWaitMs = 2_000
const lookEveryMs = 25

/** Waits until every instance has acknowledged, but not for long, and answers the switch as it is stored then. */
export async function awaitAcknowledged(
  { clock, db }: Pick<Kernel, 'clock' | 'db'>,
  killSwitch: KillSwitch,
): Promise<KillSwitch> {
  const since = clock.monotonic()
  let { propagation } = killSwitch
  while (propagation.nodes_acked < propagation.nodes_total && clock.monotonic() - since < longestWaitMs) {
    await new Promise<void>((resolve) => clock.after(lookEveryMs, resolve))
    propagation = await readPropagation(db, killSwitch)
  }
  return { ...killSwitch, propagation }
}

async function readPropagation(db: Kernel['db'], { id, tenant_id, propagation }: KillSwitch): Promise<Propagation> {
  const [row] = await db.read(
    tenant_id as TenantId,
    sql<{ propagation: Propagation }>`select propagation from aegis_kill_switch where id = ${id}`,
  )
  return row?.propagation ?? propagation
}
