/**
 * Decisions that take two people. The first is refused with a token, with which the second repeats the same call within
 * 15 minutes. Promises that both asked for the same, that two credentials of one person are one person, that a service
 * account is none, and that the second is no puppet of the first: the account was there before the first call, and
 * neither of the two gave the other the credentials in the week before. Tested in four-eyes.test.ts.
 */
import type { AccountOrigin, Actor } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../crypto/digest.ts'
import type { PlatformKeys } from '../keys/port.ts'

/** How long the second person has, in milliseconds. */
const lifeMs = 15 * 60_000

/**
 * How long credentials count as those of the person who set them, in milliseconds. Without an end the administrator who
 * invited everybody without a mail server could never be one of two.
 */
const settledAfterMs = 7 * 86_400_000

export interface Decision {
  /** A token of one purpose is none of another. */
  readonly purpose: 'kill-switch-confirm' | 'vault-reveal-confirm' | 'policy-change-confirm'
  readonly tenantId: string
  /** All that the first person asked for and the second has to ask for too. */
  readonly subject: readonly string[]
}

/** One of the two. Without an origin nothing is known of the account, and it is nobody's second. */
export interface Party {
  readonly userId: string
  readonly origin: AccountOrigin | null
}

/** A caller, or the writer of something stored. */
type Caller = Pick<Actor, 'userId' | 'agentId' | 'origin'>

interface Parts {
  readonly clock: Pick<Clock, 'now'>
  readonly platformKeys: PlatformKeys
}

export type Confirmation =
  | { readonly kind: 'confirmed'; readonly by: string }
  /** What the second person needs; null for a service account, which is no person. */
  | { readonly kind: 'missing'; readonly token: string | null }

/** Whether the caller is the second of two people, or else the token for the second. */
export function confirmation(
  { clock, platformKeys }: Parts,
  actor: Caller,
  decision: Decision,
  { token, aloneToo = false }: { readonly token: string | null; readonly aloneToo?: boolean },
): Confirmation {
  if (!isPerson(actor)) return { kind: 'missing', token: null }
  const nowMs = clock.now()
  const first = token === null ? null : readToken(platformKeys, token, { ...decision, nowMs })
  if (first !== null && (mayConfirm(first, actor) || (aloneToo && first.userId === actor.userId))) {
    return { kind: 'confirmed', by: first.userId }
  }
  return { kind: 'missing', token: makeToken(platformKeys, { ...decision, by: partyOf(actor) }, nowMs) }
}

/** A key speaks for its owner; a service account speaks for nobody. */
export const isPerson = ({ agentId }: Pick<Actor, 'agentId'>): boolean => agentId === undefined

/** Whether the caller may decide on something stored that another person wrote, of whose account nothing else is known. */
export function mayDecideOn(stored: { readonly by: string; readonly atMs: number }, actor: Caller): boolean {
  return isPerson(actor) && mayConfirm({ userId: stored.by, origin: null, askedMs: stored.atMs }, actor)
}

interface First extends Party {
  /** Unix milliseconds. */
  readonly askedMs: number
}

function mayConfirm(first: First, actor: Caller): boolean {
  const second = partyOf(actor)
  const wasThere = second.origin !== null && second.origin.activeSinceMs <= first.askedMs
  return second.userId !== first.userId && wasThere && areIndependent(first, second, first.askedMs)
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

const partyOf = ({ userId, origin }: Caller): Party => ({ userId, origin: origin ?? null })

function makeToken(keys: PlatformKeys, asked: Decision & { readonly by: Party }, nowMs: number): string {
  const { userId, origin } = asked.by
  const set = origin?.credentialsSet ?? null
  const body = [digestOf(asked), userId, nowMs, set?.by ?? '', set?.atMs ?? ''].join('.')
  return `${body}.${keys.mac(asked.purpose, body)}`
}

/** Who asked first, or null when the token is forged, over or about something else. */
function readToken(keys: PlatformKeys, token: string, asked: Decision & { readonly nowMs: number }): First | null {
  const { purpose } = asked
  const cut = token.lastIndexOf('.')
  const body = token.slice(0, Math.max(cut, 0))
  const [digest, userId, askedMs, setBy = '', setMs = ''] = body.split('.')
  // Both sides are keyed digests, so where a comparison stops tells a forger nothing useful.
  if (cut < 0 || keys.mac(purpose, keys.mac(purpose, body)) !== keys.mac(purpose, token.slice(cut + 1))) return null
  if (digest !== digestOf(asked) || userId === undefined || Number(askedMs) + lifeMs <= asked.nowMs) return null
  const credentialsSet = setBy === '' ? null : { by: setBy, atMs: Number(setMs) }
  return { userId, askedMs: Number(askedMs), origin: { activeSinceMs: 0, credentialsSet } }
}

function digestOf({ tenantId, subject }: Decision): string {
  return sha256(JSON.stringify([tenantId, ...subject]), 'base64url')
}
