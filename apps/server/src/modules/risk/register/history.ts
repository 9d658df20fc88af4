import type { Static } from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { PastScore } from './schema.ts'

/** The newest 200 scores of a risk, newest first. */
export async function historyOf(tx: Tx, riskId: string): Promise<Static<typeof PastScore>[]> {
  const rows = await tx.query(
    sql<Static<typeof PastScore>>`
      select created_at, level, previous_score, score, previous_rating, rating, var95, cause, analysis_id
      from risk_score where risk_id = ${riskId} order by created_at desc, id desc limit 200`,
  )
  return [...rows]
}
