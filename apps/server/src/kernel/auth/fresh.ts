/**
 * Fresh authentication, as RFC 9470 asks for it: the last proof of identity may not be older than ten minutes. An API key
 * has none and never passes. How a session becomes fresh again is the identity module's. Tested in fresh.test.ts.
 */

import type { Actor } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import { authErrors } from '../errors/errors.ts'

export const freshForSeconds = 600

/** @throws AUTH-009 with the challenge that says how fresh it has to be */
export function assertFresh({ authTime }: Pick<Actor, 'authTime'>, clock: Pick<Clock, 'now'>): void {
  if (authTime !== null && clock.now() / 1000 - authTime <= freshForSeconds) return
  throw stepUpNeeded()
}

/**
 * For acts that create or raise a credential, role or account and are API keys' to do as well: a session has to be fresh,
 * and a key acts within its scopes, which a person gave it with fresh authentication.
 * @throws AUTH-009 for a session that is not fresh
 */
export function assertFreshSession(actor: Pick<Actor, 'kind' | 'authTime'>, clock: Pick<Clock, 'now'>): void {
  if (actor.kind !== 'api_key') assertFresh(actor, clock)
}

/** The refusal, for callers that decide by themselves who has to prove who they are. */
export function stepUpNeeded() {
  return authErrors.stepUp().withHeaders({
    'www-authenticate': `Bearer realm="parapet", error="insufficient_user_authentication", max_age=${freshForSeconds}`,
  })
}
