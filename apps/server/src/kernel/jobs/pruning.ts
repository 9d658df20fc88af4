/**
 * Rows that are kept for a number of days: a repeating job that removes them in slices, tenant by tenant, but for those that a
 * legal hold keeps. A tenant without such rows gets no job. Tested in pruning.test.ts.
 */
import { notHeld } from '../data-registry/holds.ts'
import { identifier, sql } from '../db/sql.ts'
import type { Table } from '../db/table.ts'
import type { JobDeclaration } from '../module/module.ts'

export interface Pruning {
  readonly kind: string
  readonly table: Table
  /** A time of the row; one of the table's `dueBy`. Rows without it stay. */
  readonly column: string
  readonly keptDays: number
}

const dayMs = 86_400_000
/** Rows of one transaction. */
const slice = 500
/** Slices of one job; the rest goes with the next one. */
const mostSlices = 20

/** @throws TypeError for a column that the schedule may not read */
export function pruning<S>({ kind, table, column, keptDays }: Pruning): JobDeclaration<S> {
  if (!table.dueBy.includes(column)) throw new TypeError(`${table.name}.${column} is not in the table's dueBy`)
  const [from, at] = [table.from, identifier(column)]
  return {
    ...{ kind, maxAttempts: 3, leaseMs: 60_000, everyMs: 3_600_000 },
    due: ({ ago }) => sql`exists (
      select from ${from} held where held.tenant_id = tenant.id and held.${at} < ${ago(keptDays * dayMs)})`,
    run: async ({ tenantId, kernel, signal }) => {
      const before = new Date(kernel.clock.now() - keptDays * dayMs).toISOString()
      for (let slices = 0; slices < mostSlices && !signal.aborted; slices += 1) {
        const gone = await kernel.db.tenant({ tenantId }, (tx) =>
          tx.execute(sql`
            delete from ${from} where id in (
              select id from ${from} where ${at} < ${before} and ${notHeld(table)} order by ${at} limit ${slice})`),
        )
        if (gone < slice) return
      }
    },
  }
}
