import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Hundredths } from '../engine/fixed-point.ts'
import type { PillarName } from '../engine/signals.ts'
import { type PastScore, trend, trendReference } from '../engine/trend.ts'

export interface TrendWindow {
  readonly at: string
  readonly windowHours: number
}

/** The snapshot that a trend is measured from, in hundredths. */
export type PastPillars = PastScore & Readonly<Record<PillarName, Hundredths>>

/**
 * How a composite (hundredths) differs from the past, as `+2.3`: from the last snapshot at or before the moment less the
 * window, else from the oldest.
 */
export async function trendOf(tx: Tx, composite: Hundredths, window: TrendWindow): Promise<string> {
  return trend(composite, (await pastScore(tx, window))?.composite ?? null)
}

/** The snapshot to compare with: the last one at or before the moment less the window, else the oldest. */
export async function pastScore(tx: Tx, { at, windowHours }: TrendWindow): Promise<PastPillars | null> {
  const columns = sql`created_at, composite, security, compliance, risk, resilience, ai_governance`
  // Both ends come from the index on (tenant_id, created_at, id).
  const past = await tx.query(sql<PastPillars>`
    (select ${columns} from trust_snapshot
      where created_at <= ${at}::timestamptz - make_interval(hours => ${windowHours})
      order by created_at desc, id desc limit 1)
    union all
    (select ${columns} from trust_snapshot order by created_at, id limit 1)`)
  return trendReference(past, at, windowHours)
}
