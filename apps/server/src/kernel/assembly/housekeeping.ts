import type { Clock } from '../base/clock.ts'
import type { BlobStore } from '../blobs/port.ts'
import { sweepBlobs } from '../blobs/sweep.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { Table } from '../db/table.ts'
import type { EventDefinition } from '../events/catalogue/catalogue.ts'
import { pruneDurables, pruneEvents } from '../events/retention.ts'
import type { Chore } from '../jobs/housekeeping.ts'
import { pruneJobs } from '../jobs/retention.ts'
import { pruneChanges } from '../live/retention.ts'
import { pruneUsed } from '../second-person/second-person.ts'
import { jobHistoryDays } from '../settings/kernel-settings.ts'
import type { Settings } from '../settings/settings.ts'

/** Retention of the kernel's own tables. */
export function chores(parts: {
  readonly db: Database
  readonly clock: Clock
  readonly events: readonly EventDefinition[]
  readonly settings: Pick<Settings, 'get' | 'ready'>
  readonly blobStore: BlobStore
  readonly tables: readonly Table[]
}): readonly Chore[] {
  const { db, clock } = parts
  return [
    { name: 'events', run: () => pruneEvents({ db, catalogue: parts.events, now: clock.now() }) },
    { name: 'durable_subscriptions', run: () => pruneDurables(db, clock.now()) },
    { name: 'jobs', run: () => pruneOldJobs(parts) },
    { name: 'changes', run: () => pruneChanges(db) },
    { name: 'idempotency_keys', run: () => pruneIdempotencyKeys(db, clock.iso()) },
    {
      name: 'used_confirm_tokens',
      run: () => db.system('confirm token retention', (tx) => pruneUsed(tx, clock.iso())),
    },
    { name: 'blobs', run: () => sweepBlobs({ db, clock, store: parts.blobStore, tables: parts.tables }) },
  ]
}

async function pruneOldJobs({ db, clock, settings }: Parameters<typeof chores>[0]): Promise<number> {
  // A default in the place of a longer value that is not read yet would remove too much.
  await settings.ready()
  return pruneJobs(db, clock.now(), settings.get(jobHistoryDays, null))
}

function pruneIdempotencyKeys(db: Database, now: string): Promise<number> {
  return db.system('idempotency key retention', (tx) =>
    tx.execute(sql`
      delete from idempotency_key k using (select tenant_id, id from idempotency_key where expires_at < ${now} limit 5000) past
      where k.tenant_id = past.tenant_id and k.id = past.id`),
  )
}
