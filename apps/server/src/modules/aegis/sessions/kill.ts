/** Ends a session for good: later calls belong to a new session. Tested in ../guardrails/gateway/gateway.test.ts. */
import { isUuid } from '../../../kernel/auth/token-checks.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

/** Marks the session killed. Answers whether it was open. */
export async function killSession(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<boolean> {
  if (!isUuid(id)) return false
  const at = clock.iso()
  const killed = await tx.execute(sql`
    update aegis_session set status = 'killed', ended_at = ${at}, updated_at = ${at} where id = ${id} and status <> 'killed'`)
  if (killed === 0) return false
  await tx.audit('aegis.session.kill', { target: `session:${id}`, reason })
  return true
}
