/**
 * Whether signed checkpoints get out: how long sealed entries have waited for one, and by place how long what was signed
 * has waited to be taken there. Tested in deliver.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { Finding, HealthCheck } from '../health/checks.ts'
import type { CheckpointPlace } from './deliver.ts'

export interface CheckpointHealthParts {
  readonly db: Pick<Database, 'system'>
  readonly clock: Pick<Clock, 'now'>
  readonly tenants: () => Promise<readonly TenantId[]>
  readonly places: readonly Pick<CheckpointPlace, 'name'>[]
}

/** Seconds. Entries are signed after five minutes at most, and signed ones are taken at once when all is well. */
const unsigned = { warn: 420, fail: 900 }
const untaken = { warn: 60, fail: 900 }

export function checkpointCheck({ db, clock, tenants, places }: CheckpointHealthParts): HealthCheck {
  const run = async (): Promise<Finding> => {
    const chains = await tenants()
    const { oldest, waiting } = await db.system('health of the audit checkpoints', async (tx) => ({
      oldest: await tx.first(oldestUnsigned(chains)),
      waiting: await tx.query(waitingByPlace),
    }))
    const age = (at: string | null | undefined): number =>
      at === null || at === undefined ? 0 : Math.max(0, Math.round((clock.now() - Date.parse(at)) / 1000))
    const observed: Record<string, number> = { unsigned_oldest_seconds: age(oldest?.at) }
    const found = [judged(age(oldest?.at), unsigned)]
    for (const { name } of places) {
      const row = waiting.find(({ place }) => place === name)
      observed[`${name}_waiting`] = row?.waiting ?? 0
      observed[`${name}_oldest_seconds`] = age(row?.oldest)
      found.push(judged(age(row?.oldest), untaken))
    }
    return { status: found.includes('fail') ? 'fail' : found.includes('warn') ? 'warn' : 'pass', observed }
  }
  return { name: 'audit_checkpoints', everyMs: 30_000, run }
}

const judged = (seconds: number, { warn, fail }: { readonly warn: number; readonly fail: number }) =>
  seconds >= fail ? 'fail' : seconds >= warn ? 'warn' : 'pass'

/** Of each chain the first entry above its newest checkpoint; index: the primary key of the seals. */
const oldestUnsigned = (tenants: readonly TenantId[]) => sql<{ at: string | null }>`
  select min(seal.sealed_at) as at
  from unnest(${[...tenants]}::uuid[]) as t(tenant_id)
  left join lateral (
    select size from audit_checkpoint where tenant_id = t.tenant_id order by size desc limit 1) last on true
  join audit_seal seal on seal.tenant_id = t.tenant_id and seal.seq = coalesce(last.size, 0) + 1`

const waitingByPlace = sql<{ place: string; waiting: number; oldest: string | null }>`
  select d.place, count(*)::int as waiting, min(c.at) as oldest
  from audit_delivery d join audit_checkpoint c on c.tenant_id = d.tenant_id and c.size > d.size
  group by d.place`
