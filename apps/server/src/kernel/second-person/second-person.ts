/**
 * Decisions that take two people: the first call is refused with a `confirm_token`, with which another person repeats the
 * same call within 15 minutes. A token confirms once: it is used up in the transaction of the confirmed act, so an act that
 * is rolled back uses up none. Tested in second-person.test.ts.
 */
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../crypto/digest.ts'
import type { SystemTx, Tx } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { ProblemError } from '../errors/problem.ts'
import type { PlatformKeys } from '../keys/port.ts'
import type { RepeatableCall } from './call.ts'
import { type Caller, isPerson, maySecond, partyOf } from './people.ts'
import { type Decision, lifeMs, makeToken, readToken } from './token.ts'

interface Parts {
  readonly clock: Pick<Clock, 'now'>
  readonly platformKeys: PlatformKeys
}

export interface ConfirmableDecision extends Decision {
  readonly call: RepeatableCall
  /** The requester may confirm too, where there is no second person. Default false. */
  readonly aloneToo?: boolean
}

export interface Confirmed {
  readonly kind: 'confirmed'
  /** The user who asked first. */
  readonly by: string
  readonly token: string
}

export interface Unconfirmed {
  readonly kind: 'missing'
  /** For the second person; null for a service account, which is no person. */
  readonly token: string | null
}

/** Whether the caller is the second of two people, or else the token for the second. Whether it was used, `useUp` says. */
export function confirmation(
  { clock, platformKeys }: Parts,
  actor: Caller,
  decision: ConfirmableDecision,
): Confirmed | Unconfirmed {
  if (!isPerson(actor)) return { kind: 'missing', token: null }
  const nowMs = clock.now()
  const { token } = decision.call
  const first = token === null ? null : readToken(platformKeys, token, { decision, nowMs })
  const isAlone = decision.aloneToo === true && first?.userId === actor.userId
  if (token !== null && first !== null && (isAlone || maySecond(first, actor)))
    return { kind: 'confirmed', by: first.userId, token }
  return { kind: 'missing', token: makeToken(platformKeys, decision, { ...partyOf(actor), requestedMs: nowMs }) }
}

/** Uses a token up with the act. False where it was used before; of several at once one succeeds. */
export async function useUp({ clock }: Pick<Parts, 'clock'>, tx: Tx, { token }: Confirmed): Promise<boolean> {
  const expiresAt = new Date(clock.now() + lifeMs).toISOString()
  const stored = await tx.execute(sql`
    insert into used_confirm_token (tenant_id, id, expires_at)
    values (${tx.tenantId}, ${sha256(token, 'base64url')}, ${expiresAt}) on conflict do nothing`)
  return stored === 1
}

/**
 * The person who asked for the same call before, for an act of this transaction.
 * @param refusal the module's error of status 403, which gets the member `confirm_token`
 * @throws the refusal
 */
export async function needSecondPerson(
  parts: Parts,
  tx: Tx,
  actor: Caller,
  decision: Omit<ConfirmableDecision, 'tenantId'> & { readonly refusal: () => ProblemError },
): Promise<string> {
  const found = await confirmOnce(parts, tx, actor, decision)
  if (found.kind === 'confirmed') return found.by
  throw withToken(decision.refusal(), found)
}

/** As `confirmation`, and uses the token up; for callers that record the refusal in the same transaction. */
export async function confirmOnce(
  parts: Parts,
  tx: Tx,
  actor: Caller,
  decision: Omit<ConfirmableDecision, 'tenantId'>,
): Promise<Confirmed | Unconfirmed> {
  const bound = { ...decision, tenantId: tx.tenantId }
  const found = confirmation(parts, actor, bound)
  if (found.kind === 'missing' || (await useUp(parts, tx, found))) return found
  return askAgain(parts, actor, bound)
}

/** The refusal with the token for the second person, if there can be one. */
export function withToken(refusal: ProblemError, { token }: Unconfirmed): ProblemError {
  return token === null ? refusal : refusal.withMembers({ confirm_token: token })
}

/** A token of the caller's own, as for a first call. */
function askAgain(parts: Parts, actor: Caller, decision: ConfirmableDecision): Unconfirmed {
  const first = confirmation(parts, actor, { ...decision, call: { ...decision.call, token: null } })
  return first.kind === 'missing' ? first : { kind: 'missing', token: null }
}

/** Forgets used tokens that would be refused as too old. Answers how many. */
export function pruneUsed(tx: Pick<SystemTx, 'execute'>, now: string): Promise<number> {
  return tx.execute(sql`
    delete from used_confirm_token used using (
      select tenant_id, id from used_confirm_token where expires_at < ${now} limit 5000) past
    where used.tenant_id = past.tenant_id and used.id = past.id`)
}
