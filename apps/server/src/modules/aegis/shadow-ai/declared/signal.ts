import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { TrustSignal } from '../../../../kernel/trust-signals.ts'

const windowDays = 30
const dayMs = 86_400_000

/**
 * `100 × (1 − unapproved ÷ all observed AI calls)` of the last 30 days, as the trust score defines it: approved is the use
 * of sanctioned services, and of tolerated ones while they are.
 * @param at ISO time of the score
 */
export async function shadowAiSignal(tx: Tx, at: string): Promise<TrustSignal> {
  const today = Math.floor(Date.parse(at) / dayMs)
  const row = await tx.first(
    sql<{ good: number; n: number; observed_at: string | null }>`
      select coalesce(sum(used.requests) filter (where service.status = 'sanctioned'
          or (service.status = 'tolerated' and service.tolerated_until > ${at})), 0)::bigint as good,
        coalesce(sum(used.requests), 0)::bigint as n, max(service.last_seen) as observed_at
      from aegis_shadow_ai_use used join aegis_shadow_ai_service service on service.id = used.service_id
      where used.day > ${today - windowDays} and used.day <= ${today}`,
  )
  const source_ref = '/api/v1/aegis/shadow-ai/services'
  if (row === null || row.n === 0)
    return { id: 'shadow_ai', good: null, value: null, n: null, observed_at: null, source_ref }
  const { good, n, observed_at: seen } = row
  // A log may run ahead of our clock.
  const observed = seen !== null && seen < at ? seen : at
  return { id: 'shadow_ai', good, value: null, n, observed_at: observed, source_ref }
}
