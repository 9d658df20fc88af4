import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { TrustReport } from '../../kernel/trust-signals.ts'
import { alertPressure, alertSla, watchedUntil } from './alerts/signals.ts'
import { anomalyPressure, detectorsRanAt } from './baselines/signals.ts'
import { coverageSignal } from './guardrails/coverage/coverage.ts'
import { mcpSignal } from './mcp/hygiene/hygiene.ts'
import { shadowAiSignal } from './shadow-ai/declared/signal.ts'

/** Evidence of the pillar security: guardrails, MCP servers, alerts, anomalies, shadow AI, and whether the tenant, or the whole platform, is switched off. */
export async function aegisSignals(tx: Tx, at: string): Promise<TrustReport> {
  const row = await tx.first(
    sql<{ active: boolean }>`
      select exists (
        select from aegis_kill_switch
        where status = 'active' and scope in ('tenant', 'platform') and (expires_at is null or expires_at > ${at})
      ) as active`,
  )
  const pressure = {
    id: 'anomaly_pressure',
    ...{ good: null, value: null, n: null },
    observed_at: latest(await watchedUntil(tx), await detectorsRanAt(tx)),
    source_ref: '/api/v1/aegis/alerts',
    events: [...(await alertPressure(tx, at)), ...(await anomalyPressure(tx, at))],
  }
  return {
    signals: [
      ...[await coverageSignal(tx, at), await mcpSignal(tx, at)],
      ...[await alertSla(tx, at), await shadowAiSignal(tx, at), pressure],
    ],
    caps: [{ id: 'kill_switch_active', active: row?.active ?? false }],
  }
}

/** The later of two ISO times, of which either may be missing. */
function latest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
