import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { ssoConnectionFailed } from '../events.ts'
import { reasonText, type SsoRefusal } from '../refusals.ts'

const quietMs = 60_000

/** A connection keeps its last failure; the audit log has all of them, the event stream at most one a minute. */
export async function noteFailure(
  { clock }: Kernel,
  tx: Tx,
  { connectionId, refusal }: { readonly connectionId: string; readonly refusal: SsoRefusal },
): Promise<void> {
  const reason = reasonText(refusal)
  const [now, quiet] = [clock.iso(), new Date(clock.now() - quietMs).toISOString()]
  const before = await tx.first(sql<{ last_error_at: string | null }>`
    select last_error_at from iam_sso_connection where id = ${connectionId} for update`)
  if (before === null) return
  await tx.execute(sql`
    update iam_sso_connection set last_error = ${reason}, last_error_at = ${now} where id = ${connectionId}`)
  const target = `sso_connection:${connectionId}`
  await tx.audit('auth.sso', { target, result: refusal.by === 'us' ? 'refused' : 'failed', reason })
  if (before.last_error_at === null || before.last_error_at < quiet)
    await tx.emit(ssoConnectionFailed, `sso_connection/${connectionId}`, { connection_id: connectionId, reason })
}

export async function noteLogin(
  { clock }: Kernel,
  tx: Tx,
  { connectionId, subject }: { readonly connectionId: string; readonly subject: string },
): Promise<void> {
  const now = clock.iso()
  await tx.execute(sql`update iam_sso_connection set last_login_at = ${now} where id = ${connectionId}`)
  await tx.execute(sql`
    update iam_sso_identity set last_login_at = ${now}
    where connection_id = ${connectionId} and subject = ${subject}`)
}
