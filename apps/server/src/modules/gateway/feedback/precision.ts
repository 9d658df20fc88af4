import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { RulePrecision } from '../schemas/feedback.ts'

interface Counted {
  readonly rule_id: string
  readonly true_positives: number
  readonly false_positives: number
  readonly missed: number
}

interface Range {
  readonly from?: string
  readonly to?: string
}

/** Maximum rules in one answer; those with the most verdicts come first. */
const mostRules = 500

/**
 * Precision of each rule, from the verdicts of the time range. Of several verdicts of a person on one call the last
 * counts. Index: gateway_feedback_of_rules.
 */
export async function rulePrecision(tx: Tx, { from, to }: Range): Promise<RulePrecision[]> {
  const rows = await tx.query(
    sql<Counted>`
      select rule_id,
        count(*) filter (where verdict = 'true_positive')::int as true_positives,
        count(*) filter (where verdict = 'false_positive')::int as false_positives,
        count(*) filter (where verdict = 'missed')::int as missed
      from (
        select distinct on (request_id, user_id, rule_id) rule_id, verdict from gateway_feedback
        where kind = 'detection' and rule_id is not null
          and (${from ?? null}::timestamptz is null or created_at >= ${from ?? null}::timestamptz)
          and (${to ?? null}::timestamptz is null or created_at < ${to ?? null}::timestamptz)
        order by request_id, user_id, rule_id, created_at desc, id desc) said
      group by rule_id
      order by count(*) desc, rule_id
      limit ${mostRules}`,
  )
  return rows.map((row) => ({ ...row, precision: precisionOf(row) }))
}

function precisionOf({ true_positives: right, false_positives: wrong }: Counted): number | null {
  return right + wrong === 0 ? null : Math.round((right / (right + wrong)) * 1000) / 1000
}
