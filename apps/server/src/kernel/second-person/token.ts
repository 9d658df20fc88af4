/**
 * The `confirm_token`: requester, requested call and time, under a MAC. It is bound to tenant, route, input, the state
 * that is decided on and the requester. Tested in second-person.test.ts.
 */
import { sha256 } from '../crypto/digest.ts'
import type { PlatformKeys } from '../keys/port.ts'
import type { RepeatableCall } from './call.ts'
import type { Party, Requester } from './people.ts'

/** How long the second person has, in milliseconds. */
export const lifeMs = 15 * 60_000

const purpose = 'second-person'

export interface Decision {
  readonly tenantId: string
  readonly call: Omit<RepeatableCall, 'token'>
  /** State that is decided on, for instance its version: a token of before a change confirms nothing after it. */
  readonly state?: readonly (string | number)[]
}

export function makeToken(keys: PlatformKeys, decision: Decision, first: Requester): string {
  const set = first.origin?.credentialsSet ?? null
  const body = [digestOf(decision), first.userId, first.requestedMs, set?.by ?? '', set?.atMs ?? ''].join('.')
  return `${body}.${keys.mac(purpose, body)}`
}

/** The first requester, or null when the token is forged, over or about something else. */
export function readToken(
  keys: PlatformKeys,
  token: string,
  { decision, nowMs }: { readonly decision: Decision; readonly nowMs: number },
): Requester | null {
  const cut = token.lastIndexOf('.')
  const body = token.slice(0, Math.max(cut, 0))
  const [digest, userId, requestedMs, setBy = '', setMs = ''] = body.split('.')
  // Both sides are keyed digests, so where a comparison stops tells a forger nothing useful.
  if (cut < 0 || keys.mac(purpose, keys.mac(purpose, body)) !== keys.mac(purpose, token.slice(cut + 1))) return null
  if (digest !== digestOf(decision) || userId === undefined || Number(requestedMs) + lifeMs <= nowMs) return null
  const credentialsSet: NonNullable<Party['origin']>['credentialsSet'] =
    setBy === '' ? null : { by: setBy, atMs: Number(setMs) }
  return { userId, requestedMs: Number(requestedMs), origin: { activeSinceMs: 0, credentialsSet } }
}

function digestOf({ tenantId, call, state = [] }: Decision): string {
  return sha256(JSON.stringify([tenantId, call.route, call.digest, ...state]), 'base64url')
}
