/**
 * Removes rows past their maximum age, table by table, in batches, and never one that a legal hold covers: the condition is
 * part of the deleting statement, so that a hold placed meanwhile keeps whatever is still there. Tested in
 * requests/requests.test.ts.
 */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { identifier, sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { PlanLine, PolicyRow } from '../declared/retention-schema.ts'
import { shifted } from './durations.ts'
import { type Purgeable, purgeable } from './registry.ts'

const batch = 1_000

type Parts = Pick<Kernel, 'dataRegistry' | 'tables' | 'clock'>

/** ISO 8601 time before which rows are past the maximum; null for a policy without one. */
export const cutoffOf = ({ maximum }: Pick<PolicyRow, 'maximum'>, nowMs: number): string | null =>
  maximum === null ? null : new Date(shifted(nowMs, maximum, -1)).toISOString()

/** Rows past the maximum, with those that a hold keeps. */
export async function planPolicy(
  parts: Parts,
  tx: Tx,
  policy: Pick<PolicyRow, 'maximum' | 'categories'>,
): Promise<readonly PlanLine[]> {
  const cutoff = cutoffOf(policy, parts.clock.now())
  if (cutoff === null) return []
  const lines: PlanLine[] = []
  for (const { table, category, time } of purgeable(parts, policy.categories)) {
    const counted = await tx.first(sql<{ matched: number; free: number }>`
      select count(*)::int as matched, count(*) filter (where ${notHeld(table)})::int as free
      from ${table.from} where ${identifier(time)} < ${cutoff}`)
    const { matched = 0, free = 0 } = counted ?? {}
    const held = matched - free
    lines.push({
      ...{ table: table.name, category, matched, to_erase: free },
      to_keep: held === 0 ? [] : [{ ground: 'legal hold', rows: held }],
    })
  }
  return lines
}

/** One batch of one table; gives how many rows went. */
export async function purgeBatch(tx: Tx, { table, time }: Purgeable, cutoff: string): Promise<number> {
  const place = identifier(time)
  return tx.execute(sql`
    delete from ${table.from} where ${place} < ${cutoff} and ${notHeld(table)} and id in (
      select id from ${table.from} where ${place} < ${cutoff} and ${notHeld(table)} limit ${batch})`)
}
