/**
 * Codes as a proof: six digits of an authenticator app, or sixteen of a recovery code. A code is looked at first, outside
 * of any transaction, and spent in the transaction that it opens something in; the database lets each be spent once.
 * Tested in ../factors/mfa.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'
import { openSecret } from './secrets.ts'
import { type Drift, matchCode } from './totp.ts'

export type CodeProof =
  | { readonly by: 'totp'; readonly factorId: string; readonly step: number; readonly drift: Drift }
  | { readonly by: 'recovery_code'; readonly userId: string; readonly slot: number; readonly hash: string }

export interface CodeOf {
  readonly tenantId: TenantId
  readonly userId: string
  readonly code: string
}

/** The proof a code gives, or null. A wrong recovery code takes as long to check whether its slot holds one or not. */
export function readCode(services: IamServices, asked: CodeOf): Promise<CodeProof | null> {
  return asked.code.length === 16 ? recoveryProof(services, asked) : totpProof(services, asked)
}

interface TotpRow {
  readonly id: string
  readonly secret: Uint8Array
  readonly last_step: number
  readonly drift: Drift
}

async function totpProof({ kernel }: IamServices, { tenantId, userId, code }: CodeOf): Promise<CodeProof | null> {
  const [factor] = await kernel.db.read(
    tenantId,
    sql<TotpRow>`
      select id, secret, last_step::int as last_step, drift
      from iam_factor
      where user_id = ${userId} and kind = 'totp' and status = 'active'`,
  )
  if (factor === undefined) return null
  const secret = await openSecret(kernel, tenantId, factor)
  const match = matchCode(secret, code, { nowMs: kernel.clock.now(), drift: factor.drift })
  if (match === null || match.step <= factor.last_step) return null
  return { by: 'totp', factorId: factor.id, ...match }
}

async function recoveryProof(services: IamServices, { tenantId, userId, code }: CodeOf): Promise<CodeProof | null> {
  const slot = Number(code.slice(0, 2))
  const [row] = await services.kernel.db.read(
    tenantId,
    sql<{ hash: string }>`
      select hash from iam_recovery_code
      where user_id = ${userId} and slot = ${slot} and used_at is null`,
  )
  const proven = await services.passwords.verify(row?.hash ?? null, code)
  return proven && row !== undefined ? { by: 'recovery_code', userId, slot, hash: row.hash } : null
}

/** Spends the proof; false when it was spent meanwhile, or what it is of is gone. */
export async function spendCode({ kernel }: IamServices, tx: Tx, proof: CodeProof): Promise<boolean> {
  const now = kernel.clock.iso()
  const spent =
    proof.by === 'totp'
      ? await tx.execute(sql`
          update iam_factor
          set last_step = ${proof.step}, drift = ${proof.drift}, last_used_at = ${now}
          where id = ${proof.factorId} and status = 'active' and last_step < ${proof.step}`)
      : await tx.execute(sql`
          update iam_recovery_code
          set used_at = ${now}
          where user_id = ${proof.userId} and slot = ${proof.slot} and hash = ${proof.hash} and used_at is null`)
  return spent > 0
}
