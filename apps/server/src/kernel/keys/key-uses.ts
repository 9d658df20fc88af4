/**
 * How often each key has locked or signed something. AES-GCM with nonces drawn at random must not do so more than 2^32
 * times under one key (NIST SP 800-38D, 8.3), so somebody has to count. It is counted in memory and written once a minute
 * and at the end: a process that is killed loses its last minute. Tested in key-uses.test.ts.
 */

import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { Activity } from '../lifecycle/activity.ts'

export interface KeyUses extends Activity {
  count(kid: string): void
  /** Uses of these keys, on all instances, with those that this one has not written yet. */
  of(kids: readonly string[]): Promise<ReadonlyMap<string, number>>
  flush(): Promise<void>
}

interface Parts {
  readonly db: Pick<Database, 'system'>
  readonly clock: Pick<Clock, 'every'>
  readonly failed: (error: unknown) => void
}

const writeEveryMs = 60_000

export function createKeyUses({ db, clock, failed }: Parts): KeyUses {
  let counted = new Map<string, number>()
  let timer: { stop(): void } | null = null
  const add = (kid: string, uses: number): void => void counted.set(kid, (counted.get(kid) ?? 0) + uses)

  const flush = async (): Promise<void> => {
    const taken = counted
    counted = new Map()
    if (taken.size === 0) return
    try {
      await db.system('uses of keys', (tx) =>
        tx.execute(sql`
          insert into key_use (kid, uses)
          select * from unnest(${[...taken.keys()]}::text[], ${[...taken.values()]}::bigint[])
          on conflict (kid) do update set uses = key_use.uses + excluded.uses`),
      )
    } catch (error) {
      for (const [kid, uses] of taken) add(kid, uses)
      throw error
    }
  }

  return {
    name: 'uses of keys',
    count: (kid) => add(kid, 1),
    of: async (kids) => {
      const rows = await db.system('uses of keys', (tx) =>
        tx.query(sql<{ kid: string; uses: number }>`
          select kid, uses::float8 as uses from key_use where kid = any(${kids}::text[])`),
      )
      const stored = new Map(rows.map(({ kid, uses }) => [kid, uses]))
      return new Map(kids.map((kid) => [kid, (stored.get(kid) ?? 0) + (counted.get(kid) ?? 0)]))
    },
    flush,
    start: async () => {
      timer = clock.every(writeEveryMs, () => void flush().catch(failed))
    },
    stop: async () => {
      timer?.stop()
      await flush()
    },
  }
}
