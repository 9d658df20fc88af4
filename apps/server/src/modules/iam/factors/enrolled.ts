/**
 * Consequences of a new factor of any kind: the first one ends the sessions that never showed one, the session that
 * added it counts as having shown it, and recovery codes are created. Tested in mfa.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { tellCredential } from '../accounts/credential-changes.ts'
import { mailNotice } from '../mail/jobs.ts'
import type { FactorKind } from '../schemas/factor-kinds.ts'
import type { IamServices } from '../services/iam-services.ts'
import { endSessions } from '../sessions/sessions.ts'
import type { Account } from '../sign-in/find-account.ts'
import type { Proof } from '../sign-in/open-session.ts'
import type { Enroller } from './enroller.ts'

export interface Added {
  readonly enroller: Enroller
  /** As it was before, held. */
  readonly account: Account
  readonly factor: { readonly id: string; readonly kind: FactorKind; readonly name: string }
  readonly proof: Pick<Proof, 'amr' | 'acr'>
}

export async function factorAdded(services: IamServices, tx: Tx, added: Added): Promise<void> {
  const { enroller, account, factor } = added
  const { userId, sessionId } = enroller
  const now = services.kernel.clock.iso()
  await tx.execute(sql`update iam_user set mfa_deadline = null where id = ${userId}`)
  if (account.methods.length === 0) {
    const condition = sql`user_id = ${userId} and id is distinct from ${sessionId}::uuid and created_via = 'password'`
    await endSessions(services, tx, { condition, by: userId, reason: 'factor_added' })
  }
  if (sessionId !== null) {
    await proveSession(tx, { sessionId, proof: added.proof, now })
  }
  await tx.audit('auth.mfa.add', { target: `user:${userId}`, after: { factor_id: factor.id, kind: factor.kind } })
  await tellCredential(tx, { userId, credential: factor.kind, change: 'created', by: userId })
  await mailNotice(services, tx, { notice: 'factor_added', userId, to: account.email })
}

/** Adds a proof just shown to those of a session. Null when the session has ended. */
export async function proveSession(
  tx: Tx,
  what: { readonly sessionId: string; readonly proof: Pick<Proof, 'amr' | 'acr'>; readonly now: string },
): Promise<{ readonly amr: readonly string[]; readonly acr: string } | null> {
  const amr = [...what.proof.amr]
  return tx.first(sql<{ amr: readonly string[]; acr: string }>`
    update iam_session
    set auth_time = ${what.now}, updated_at = ${what.now}, acr = greatest(acr, ${what.proof.acr}),
      amr = amr || array(select shown from unnest(${amr}::text[]) as shown where shown <> all(amr))
    where id = ${what.sessionId} and status = 'active'
    returning amr, acr`)
}
