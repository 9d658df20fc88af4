import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { Hundredths } from './engine/fixed-point.ts'
import { type PastScore, trend, trendReference } from './engine/trend.ts'

/**
 * How a composite (hundredths) differs from the past, as `+2.3`: from the last snapshot at or before the moment less the
 * window, else from the oldest.
 */
export async function trendOf(
  tx: Tx,
  composite: Hundredths,
  { at, windowHours }: { readonly at: string; readonly windowHours: number },
): Promise<string> {
  // Both ends come from the index on (tenant_id, created_at, id).
  const past = await tx.query(sql<PastScore>`
    (select created_at, composite from trust_snapshot
      where created_at <= ${at}::timestamptz - make_interval(hours => ${windowHours})
      order by created_at desc, id desc limit 1)
    union all
    (select created_at, composite from trust_snapshot order by created_at, id limit 1)`)
  return trend(composite, trendReference(past, at, windowHours)?.composite ?? null)
}
