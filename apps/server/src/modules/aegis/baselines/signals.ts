/** Anomalies as evidence for the trust score. Tested in baselines.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { TrustSignal } from '../../../kernel/trust-signals.ts'
import type { AnomalySeverity } from './engine/finding.ts'

type PressureEvent = NonNullable<TrustSignal['events']>[number]

const mostEvents = 10_000
const days = 90

interface Pressing {
  readonly id: string
  readonly severity: AnomalySeverity
  readonly window_start: string
  readonly window_end: string
}

/**
 * Anomalies that press on the score from the beginning of their window to its end. One with an alert is counted by the
 * alert, and a false positive is not counted.
 * @param at ISO time of the score
 */
export async function anomalyPressure(tx: Tx, at: string): Promise<readonly PressureEvent[]> {
  const from = new Date(Date.parse(at) - days * 86_400_000).toISOString()
  const rows = await tx.query(
    sql<Pressing>`
      select id, severity, window_start, window_end from aegis_anomaly
      where created_at > ${from} and alert_id is null and label is distinct from 'false_positive'
      order by created_at desc, id desc limit ${mostEvents}`,
  )
  return rows.map((row) => ({
    ...{ id: `anomaly:${row.id}`, severity: row.severity, at: row.window_start, closed_at: row.window_end },
  }))
}

/** When detectors last ran on traffic; null for never. */
export async function detectorsRanAt(tx: Tx): Promise<string | null> {
  const row = await tx.first(sql<{ at: string | null }>`select max(updated_at) as at from aegis_baseline`)
  return row?.at ?? null
}
