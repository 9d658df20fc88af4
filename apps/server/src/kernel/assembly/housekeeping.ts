import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { EventDefinition } from '../events/catalogue/catalogue.ts'
import { pruneDurables, pruneEvents } from '../events/retention.ts'
import type { Chore } from '../jobs/housekeeping.ts'
import { pruneJobs } from '../jobs/retention.ts'
import { pruneChanges } from '../live/retention.ts'
import { jobHistoryDays } from '../settings/kernel-settings.ts'
import type { Settings } from '../settings/settings.ts'

/** What the kernel's own tables keep no longer than promised. */
export function chores(parts: {
  readonly db: Database
  readonly clock: Clock
  readonly events: readonly EventDefinition[]
  readonly settings: Pick<Settings, 'get' | 'ready'>
}): readonly Chore[] {
  const { db, clock } = parts
  return [
    { name: 'events', run: () => pruneEvents({ db, catalogue: parts.events, now: clock.now() }) },
    { name: 'durable_subscriptions', run: () => pruneDurables(db, clock.now()) },
    { name: 'jobs', run: () => pruneOldJobs(parts) },
    { name: 'changes', run: () => pruneChanges(db) },
    { name: 'idempotency_keys', run: () => pruneIdempotencyKeys(db, clock.iso()) },
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
