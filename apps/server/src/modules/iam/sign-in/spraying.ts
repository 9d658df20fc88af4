/**
 * The third check against guessing, per tenant. An attacker who tries one password on many accounts, from many
 * addresses, stays below the limits of accounts and addresses; over a whole tenant it shows. It blocks no sign-in, or
 * strangers could lock out a tenant: it alerts the administrators. Failures are counted where limits are, so several
 * instances count together. Tested in spraying.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { windowMs } from '../guessing/guessing.ts'
import { tellAdministrators } from '../mail/administrators.ts'
import { loginSprayingDetected } from './events.ts'

/** Within the window: fewer are people who have forgotten something. */
const fewest = { accounts: 10, attempts: 30 }
/** Sign-ins per failure; a tenant at work has more, also on the morning after the holidays. */
const signInsPerFailure = 0.25
const toldEveryMs = 60 * 60_000
/** A limit that counts never reach. */
const uncounted = 1_000_000

export interface FailedAccount {
  readonly userId: string
  readonly attempts: number
}

/** Counts an account's failures of a minute, and tells of the tenant when they are not those of its own people. */
export async function watchSpraying(kernel: Kernel, tx: Tx, failed: FailedAccount): Promise<void> {
  const { attempts, accounts } = await counted(kernel, tx.tenantId, failed)
  if (accounts < fewest.accounts || attempts < fewest.attempts) return
  const since = new Date(kernel.clock.now() - windowMs).toISOString()
  const row = await tx.first(sql<{ sign_ins: number }>`
    select count(*)::int as sign_ins from iam_session where created_at > ${since} and created_via = 'password'`)
  const sign_ins = row?.sign_ins ?? 0
  if (sign_ins > attempts * signInsPerFailure) return
  const turn = await kernel.limits.take(`{${tx.tenantId}}:spraying-told`, { limit: 1, windowMs: toldEveryMs })
  if (!turn.allowed) return
  const seen = { accounts, attempts, sign_ins, minutes: windowMs / 60_000 }
  await tx.audit('auth.login_spraying', { target: `tenant:${tx.tenantId}`, after: seen, result: 'refused' })
  await tx.emit(loginSprayingDetected, `tenant/${tx.tenantId}`, seen)
  await tellAdministrators(kernel, tx, { notice: 'guessing' })
}

/** Over the window, in the whole tenant. */
async function counted({ limits }: Kernel, tenantId: string, { userId, attempts }: FailedAccount) {
  const rule = { limit: uncounted, windowMs }
  const count = async (what: string, cost: number): Promise<number> => {
    const { limit, remaining } = await limits.take(`{${tenantId}}:${what}`, rule, cost)
    return limit - remaining
  }
  const first = await limits.take(`{${tenantId}}:guessed:${userId}`, { limit: 1, windowMs })
  return {
    attempts: await count('guesses', attempts),
    accounts: await count('guessed', first.allowed ? 1 : 0),
  }
}
