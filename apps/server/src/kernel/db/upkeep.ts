/**
 * Looks after the tables of the embedded database, which has no autovacuum: without it the planner knows nothing of a table
 * that has grown and reads whole indexes for a page, and rows that are gone keep their space. Promises one table at a
 * time, by autovacuum's own thresholds, and no long hold of the only connection: of a very large table only a sample is
 * read. A server looks after itself. Tested in upkeep.test.ts.
 */

import type { Clock } from '../base/clock.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import type { Driver } from './port.ts'
import { sql } from './sql.ts'

export interface UpkeepParts {
  readonly driver: Driver
  readonly clock: Pick<Clock, 'after'>
  readonly log: LoopLog
}

/** A table that grows fast is read by guesses for so long. */
const everyMs = 10_000

export function createUpkeep({ driver, clock, log }: UpkeepParts): Activity {
  const loop = createLoop({ name: 'table upkeep', clock, log, everyMs, run: () => tendOne(driver) })
  return {
    name: 'table upkeep',
    start: async () => (driver.kind === 'pglite' ? loop.start() : undefined),
    stop: () => loop.stop(),
  }
}

/** Tends the table that needs it most; false when none does. */
export async function tendOne(driver: Driver): Promise<boolean> {
  const session = await driver.acquire()
  let due: { command?: unknown } | undefined
  try {
    const [found] = await session.run([mostDue])
    due = found?.rows[0]
  } finally {
    session.release()
  }
  if (typeof due?.command !== 'string') return false
  await driver.script(due.command)
  return true
}

// Thresholds are PostgreSQL's defaults (25.1.6, "The Autovacuum Daemon"). Above two million rows a vacuum would hold the
// connection for seconds; an analysis reads a sample and takes the same time for every size. Counts of changes are lost when
// the process is killed, so a table of some size that was never looked at is due whatever they say.
const mostDue = sql<{ command: string }>`
  select case when bloated and n_live_tup < 2000000 then 'vacuum (analyze) ' else 'analyze ' end || name as command
  from (
    select format('%I.%I', s.schemaname, s.relname) as name, s.n_live_tup,
      s.n_dead_tup > 50 + 0.2 * s.n_live_tup or s.n_ins_since_vacuum > 1000 + 0.2 * s.n_live_tup as bloated,
      s.n_mod_since_analyze > 50 + 0.1 * s.n_live_tup or c.reltuples < 0 and pg_relation_size(c.oid) > 65536 as unknown,
      s.n_mod_since_analyze as changes
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  ) tables
  where unknown or bloated and n_live_tup < 2000000
  order by changes desc, name
  limit 1`
