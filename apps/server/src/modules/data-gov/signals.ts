/** Evidence for the trust score. Tested in signals.test.ts. */

import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { TrustReport } from '../../kernel/trust-signals.ts'

/**
 * Share of requests of data subjects and retention runs that were done by their due moment, of all that fell due in the 90
 * days before. One that is open and overdue counts as not done for as long as it is open, so that waiting raises nothing.
 * @param at ISO time of the score
 */
export async function dataGovSignals(tx: Tx, at: string): Promise<TrustReport> {
  const counted = await tx.first(sql<{ n: number; good: number; newest: string | null }>`
    select count(*)::int as n, max(least(due_at, coalesce(completed_at, due_at))) as newest,
      count(*) filter (where completed_at is not null and completed_at <= due_at and status <> 'failed')::int as good
    from data_gov_run
    where not dry_run and status <> 'withdrawn' and (
      (due_at <= ${at} and (due_at > ${at}::timestamptz - interval '90 days' or completed_at is null))
      or (completed_at <= ${at} and completed_at > ${at}::timestamptz - interval '90 days'))`)
  const { n = 0, good = 0, newest = null } = counted ?? {}
  return {
    signals: [
      {
        id: 'data_rights_timeliness',
        ...{ good: n === 0 ? null : good, value: null, n: n === 0 ? null : n, observed_at: newest },
        source_ref: '/api/v1/data-gov/retention-runs',
      },
    ],
    caps: [],
  }
}
