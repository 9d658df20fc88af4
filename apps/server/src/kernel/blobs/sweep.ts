/**
 * Removes unneeded data: blobs that no row has named for a grace, and bytes of uploads that never ended.
 * Tables declare the columns that name blobs (`blobs`) and foreign keys hold them, so a named blob can never be
 * removed, even concurrently. Safe to run on several instances at once. Tested in blobs.test.ts.
 */
import type { Clock } from '../base/clock.ts'
import type { Database, SystemTx } from '../db/port.ts'
import { type SqlPart, sql } from '../db/sql.ts'
import type { BlobStore } from './port.ts'
import { type NamingTables, namedBy } from './references.ts'

/** Milliseconds for which content without a row stays, and in which an upload has to end. */
export const blobGraceMs = 24 * 3_600_000
const slice = 500

export interface SweepParts {
  readonly db: Pick<Database, 'system'>
  readonly store: Pick<BlobStore, 'delete'>
  readonly clock: Pick<Clock, 'now' | 'iso'>
  readonly tables: NamingTables
}

interface ObjectRow {
  readonly tenant_id: string
  readonly id: string
}

/** Answers how many files it removed from the store; at most one slice. */
export async function sweepBlobs({ db, store, clock, tables }: SweepParts): Promise<number> {
  const before = new Date(clock.now() - blobGraceMs).toISOString()
  const objects = await db.system('blobs that no row names', async (tx) => {
    await forgetUnnamed(tx, { isNamed: namedBy(tables), now: clock.iso(), before })
    return tx.query(
      sql<ObjectRow>`
        select o.tenant_id, o.id from blob_object o
        where o.created_at < ${before}
          and not exists (select from blob b where b.tenant_id = o.tenant_id and b.id = o.id)
        order by o.created_at limit ${slice}`,
    )
  })
  for (const { tenant_id: tenantId, id } of objects) {
    await store.delete({ tenantId, id })
    await db.system('bytes that are gone', (tx) =>
      tx.execute(sql`delete from blob_object where tenant_id = ${tenantId} and id = ${id}`),
    )
  }
  return objects.length
}

interface Unnamed {
  readonly isNamed: SqlPart
  readonly now: string
  readonly before: string
}

async function forgetUnnamed(tx: SystemTx, { isNamed, now, before }: Unnamed): Promise<void> {
  await tx.execute(sql`
    update blob set unreferenced_since = null where unreferenced_since is not null and ${isNamed}`)
  await tx.execute(sql`
    update blob set unreferenced_since = ${now} where unreferenced_since is null and not ${isNamed}`)
  await tx.execute(sql`delete from blob where unreferenced_since < ${before}`)
}
