import { notHeld } from '../data-registry/holds.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import { job } from './tables.ts'

/** Removes one slice of jobs that ended so many days ago or earlier. Answers how many went. */
export function pruneJobs(db: Pick<Database, 'system'>, now: number, days: number): Promise<number> {
  const before = new Date(now - days * 86_400_000).toISOString()
  return db.system('job retention', (tx) =>
    tx.execute(sql`
      delete from job j using (
        select tenant_id, id from job where finished_at < ${before} and ${notHeld(job)} limit 5000) past
      where j.tenant_id = past.tenant_id and j.id = past.id`),
  )
}
