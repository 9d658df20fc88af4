/**
 * Fresh authentication, as RFC 9470 asks for it: the session's last proof of identity may not be older than ten minutes.
 * An API key has none and never passes. Signing in again is how a session becomes fresh. Tested in vault.test.ts.
 */
import type { Actor } from '../../../kernel/auth/actor.ts'
import { authErrors } from '../../../kernel/http/errors.ts'
import type { Clock } from '../../../kernel/kernel.ts'

export const freshForSeconds = 600

/** @throws AUTH-009 */
export function requireFreshAuthentication({ authTime }: Pick<Actor, 'authTime'>, clock: Pick<Clock, 'now'>): void {
  if (authTime !== null && clock.now() / 1000 - authTime <= freshForSeconds) return
  throw authErrors.stepUp().withHeaders({
    'www-authenticate': `Bearer realm="parapet", error="insufficient_user_authentication", max_age=${freshForSeconds}`,
  })
}
