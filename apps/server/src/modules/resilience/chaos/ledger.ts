/** Shares of the operations that an experiment may hit, and the journal of those that it hit. Tested in experiments.test.ts. */
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { writeJournal } from './journal.ts'
import type { RuleLedger } from './registry.ts'

/** Hits that the journal lists; all of them are counted. */
const mostListed = 5_000

export function createLedger(kernel: Pick<Kernel, 'db' | 'random' | 'clock' | 'node'>): RuleLedger {
  const { db, node } = kernel
  return {
    // Small numbers go to the first instance that asks; of large ones each takes a tenth at a time.
    claim: (tenantId, id) =>
      db.tenant({ tenantId }, async (tx) => {
        const row = await tx.first(sql<{ granted: number }>`
          with held as (
            select id, claimed_calls as before, (blast_radius ->> 'max_affected_calls')::int as most
            from resilience_experiment where id = ${id} and status = 'injecting' and not stop_wanted for update)
          update resilience_experiment experiment
          set claimed_calls = least(held.most,
            held.before + case when held.most <= 100 then held.most else ceil(held.most / 10.0)::int end)
          from held where experiment.id = held.id
          returning experiment.claimed_calls - held.before as granted`)
        return row?.granted ?? 0
      }),
    armed: (tenantId, id) =>
      db.tenant({ tenantId }, (tx) => writeJournal(kernel, tx, id, [{ kind: 'armed', data: { node } }])),
    keep: (tenantId, id, hits) =>
      db.tenant({ tenantId }, async (tx) => {
        const counted = await tx.first(sql<{ before: number }>`
          update resilience_experiment set affected_calls = affected_calls + ${hits.length}
          where id = ${id} returning affected_calls - ${hits.length}::int as before`)
        const listed = hits.slice(0, Math.max(0, mostListed - (counted?.before ?? mostListed)))
        await writeJournal(
          kernel,
          tx,
          id,
          listed.map(({ at, seam, target, requestId, kind, delayMs }) => ({
            ...{ kind: 'fault', at },
            data: { seam, target, request_id: requestId, fault: kind, delay_ms: delayMs },
          })),
        )
      }),
  }
}
