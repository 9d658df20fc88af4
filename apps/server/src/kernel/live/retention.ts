import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'

/** Removes changes every instance has long seen. Answers how many went. */
export function pruneChanges(db: Pick<Database, 'system'>): Promise<number> {
  return db.system('live feed retention', (tx) =>
    tx.execute(sql`delete from change_feed where at < clock_timestamp() - interval '1 hour'`),
  )
}
