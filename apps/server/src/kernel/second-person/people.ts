/**
 * The second of two people. Promises that two credentials of one person are one person, that a service account
 * is none, and that the second is no puppet of the first: the account was there before the request, and neither of the two
 * gave the other the credentials in the week before. Pure. Tested in second-person.test.ts.
 */
import type { AccountOrigin, Actor } from '../access/actor.ts'
import type { ProblemError } from '../errors/problem.ts'

/**
 * How long credentials count as those of the person who set them, in milliseconds. Without an end the administrator who
 * invited everybody without a mail server could never be one of two.
 */
const settledAfterMs = 7 * 86_400_000

/** One of the two people. Without an origin nothing is known of the account, and it cannot be a second person. */
export interface Party {
  readonly userId: string
  readonly origin: AccountOrigin | null
}

/** A caller, or the writer of something stored. */
export type Caller = Pick<Actor, 'userId' | 'agentId' | 'job' | 'origin'>

/** The first of the two. */
export interface Requester extends Party {
  /** Unix milliseconds. */
  readonly requestedMs: number
}

/** A key speaks for its owner; a service account for no person, and a job only for its purpose. */
export const isPerson = ({ agentId, job }: Pick<Actor, 'agentId' | 'job'>): boolean =>
  agentId === undefined && job === undefined

/** Whether the caller is a second person for this request. */
export function maySecond(first: Requester, actor: Caller): boolean {
  const second = partyOf(actor)
  const wasThere = second.origin !== null && second.origin.activeSinceMs <= first.requestedMs
  return isPerson(actor) && wasThere && areIndependent(first, second, first.requestedMs)
}

/** A stored pending decision: its requester and the time (Unix milliseconds). */
export interface StoredRequest {
  readonly by: string
  readonly atMs: number
}

/** Refuses a caller who may not decide on a stored request of another person. @throws the refusal, a 403 of the module */
export function needOtherPerson(stored: StoredRequest, actor: Caller, refusal: () => ProblemError): void {
  if (!maySecond({ userId: stored.by, origin: null, requestedMs: stored.atMs }, actor)) throw refusal()
}

/** Whether two people have credentials that neither the one gave the other nor a third gave both, in the week before. */
export function areIndependent(one: Party, other: Party, atMs: number): boolean {
  if (one.userId === other.userId) return false
  const [ofOne, ofOther] = [setterOf(one, atMs), setterOf(other, atMs)]
  return ofOne !== other.userId && ofOther !== one.userId && (ofOne === null || ofOne !== ofOther)
}

function setterOf({ origin }: Party, atMs: number): string | null {
  const set = origin?.credentialsSet ?? null
  return set !== null && set.atMs > atMs - settledAfterMs ? set.by : null
}

export const partyOf = ({ userId, origin }: Caller): Party => ({ userId, origin: origin ?? null })
