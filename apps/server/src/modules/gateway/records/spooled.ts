/**
 * Records of calls that wait on the local disk while the database is away, where the caller's policies let them.
 * Promises that each is stored once when the database is back, also after the process died in between, and that during
 * an outage no call waits for a database that was unavailable a moment ago. Tested in spooled.test.ts.
 */

import { deserialize, serialize } from 'node:v8'
import { isUnavailable } from '../../../kernel/db/errors.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { HealthCheck } from '../../../kernel/health/checks.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'
import { createLoop } from '../../../kernel/lifecycle/loop.ts'
import type { Spool } from '../../../kernel/spool/spool.ts'
import type { CallRecord } from './call-record.ts'

export interface CallSpool {
  /** Stores records, or says at once that the database is away. @throws API-009 in an outage */
  store(records: readonly CallRecord[]): Promise<void>
  admits(record: CallRecord): boolean
  keep(records: readonly CallRecord[]): Promise<void>
  readonly activity: Activity
  readonly check: HealthCheck
}

/** Milliseconds after a failure in which calls that may wait do not ask the database again. */
const restMs = 1_000
const everyMs = 1_000
/** Records of one transaction. */
const largestGroup = 256

type Parts = Pick<Kernel, 'config' | 'clock' | 'db' | 'log' | 'spools'>

export function createCallSpool(
  { config, clock, db, log, spools }: Parts,
  append: (records: readonly CallRecord[]) => Promise<void>,
): CallSpool {
  let spool: Spool | null = null
  let last: { readonly error: unknown; readonly at: number } | null = null

  const take = async (frames: readonly Uint8Array[]): Promise<void> => {
    for (let from = 0; from < frames.length; from += largestGroup) {
      const records = frames.slice(from, from + largestGroup).map((frame): CallRecord => deserialize(frame))
      const stored = await storedAmong(db, records)
      const missing = records.filter(({ audit }) => !stored.has(audit.id))
      if (missing.length > 0) await append(missing)
      log.warn({ records: missing.length, stored: stored.size }, 'calls recorded during an outage are in the log')
    }
  }
  const loop = createLoop({
    name: 'gateway spool',
    clock,
    log,
    everyMs,
    run: async () => {
      if (spool !== null && spool.waiting() > 0) await spool.drain(take)
      return false
    },
  })

  return {
    store: async (records) => {
      const resting = last !== null && clock.monotonic() - last.at < restMs && records.every(admits)
      if (resting) throw last?.error
      try {
        await append(records)
        last = null
      } catch (error) {
        if (isUnavailable(error)) last = { error, at: clock.monotonic() }
        throw error
      }
    },
    admits,
    keep: async (records) => {
      if (spool === null) throw new Error('The spool is not open')
      if (spool.waiting() === 0) log.warn({}, 'the database is away; records of calls wait on the local disk')
      await spool.append(records.map((record) => serialize(record)))
    },
    check: { name: 'gateway_spool', run: async () => findingOf(spool) },
    activity: {
      name: 'gateway spool',
      start: async () => {
        spool = await spools.open('gateway-calls', { maxBytes: config.gatewaySpoolBytes })
        loop.start()
      },
      stop: async () => {
        await loop.stop()
        await spool?.close()
        spool = null
      },
    },
  }
}

const admits = ({ mayWait }: CallRecord): boolean => mayWait

/** The audit entry of a record is in the same commit as all of it. */
async function storedAmong(db: Kernel['db'], records: readonly CallRecord[]): Promise<ReadonlySet<string>> {
  const tenants = records.map(({ audit }) => audit.tenant_id)
  const ids = records.map(({ audit }) => audit.id)
  const rows = await db.system('records that waited', (tx) =>
    tx.query(
      sql<{ id: string }>`
        select id from audit_entry where (tenant_id, id) in (select * from unnest(${tenants}::uuid[], ${ids}::uuid[]))`,
    ),
  )
  return new Set(rows.map(({ id }) => id))
}

async function findingOf(spool: Spool | null) {
  const [bytes, damaged] = [spool?.waiting() ?? 0, spool?.damaged() ?? 0]
  return {
    status: damaged > 0 ? ('fail' as const) : bytes > 0 ? ('warn' as const) : ('pass' as const),
    observed: { waiting_bytes: bytes, damaged_files: damaged },
  }
}
