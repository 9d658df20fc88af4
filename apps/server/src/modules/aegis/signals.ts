import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { TrustReport } from '../../kernel/trust-signals.ts'

/** Tells the trust score whether the tenant, or the whole platform, is switched off. */
export async function aegisSignals(tx: Tx, at: string): Promise<TrustReport> {
  const row = await tx.first(
    sql<{ active: boolean }>`
      select exists (
        select from aegis_kill_switch
        where status = 'active' and scope in ('tenant', 'platform') and (expires_at is null or expires_at > ${at})
      ) as active`,
  )
  return { signals: [], caps: [{ id: 'kill_switch_active', active: row?.active ?? false }] }
}
