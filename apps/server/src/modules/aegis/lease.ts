/**
 * The right of an instance to trust its kill list. Every few seconds it says that it is there and reads the whole list;
 * an instance that failed to for ten seconds refuses calls. Promises that an instance that lets calls through is among
 * those an activation waits for, because its name stays in the table for as long as its lease lasts at the least.
 * Tested in lease.test.ts.
 */

import { sql } from '../../kernel/db/sql.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Activity } from '../../kernel/lifecycle/activity.ts'
import { createLoop } from '../../kernel/lifecycle/loop.ts'

/** A list this old is not trusted: the instance refuses calls until it has heard from the database again. */
export const leaseMs = 10_000
const renewEveryMs = 3_000

export interface Lease extends Activity {
  /** False when changes may have been missed. */
  fresh(): boolean
}

export interface LeaseParts {
  readonly kernel: Pick<Kernel, 'clock' | 'log' | 'node'> & {
    readonly db: Pick<Kernel['db'], 'kind' | 'system'>
    readonly live: Pick<Kernel['live'], 'lastContactMs'>
  }
  /** Reads the whole list; false when it did not come to rest. */
  readonly reread: () => Promise<boolean>
}

export function createLease({ kernel, reread }: LeaseParts): Lease {
  const { clock, log, live } = kernel
  let renewedAt = Number.NEGATIVE_INFINITY

  const renew = async (): Promise<boolean> => {
    // From before the statements: the table must not forget this instance while it still trusts itself.
    const startedAt = clock.monotonic()
    await sayHere(kernel)
    if (await reread()) renewedAt = startedAt
    return false
  }

  const loop = createLoop({ name: 'kill list', clock, log, everyMs: renewEveryMs, run: renew })
  return {
    name: 'kill list',
    fresh: () => clock.monotonic() - renewedAt <= leaseMs && live.lastContactMs() <= leaseMs,
    start: async () => {
      await renew()
      loop.start()
    },
    stop: async () => {
      await loop.stop()
      await sayGone(kernel)
    },
  }
}

/** The embedded database has one process, so there is no other to notify. */
async function sayHere({ db, node }: LeaseParts['kernel']): Promise<void> {
  if (db.kind === 'pglite') return
  await db.system('instance is here', (tx) =>
    tx.execute(sql`
      with gone as (delete from aegis_instance where seen_at < clock_timestamp() - interval '1 hour')
      insert into aegis_instance (name, seen_at) values (${node}, clock_timestamp())
      on conflict (name) do update set seen_at = excluded.seen_at`),
  )
}

async function sayGone({ db, node }: LeaseParts['kernel']): Promise<void> {
  if (db.kind === 'pglite') return
  await db.system('instance leaves', (tx) => tx.execute(sql`delete from aegis_instance where name = ${node}`))
}
