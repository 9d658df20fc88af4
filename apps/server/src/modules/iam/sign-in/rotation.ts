/**
 * What a refresh token is worth, decided from its session alone. Each token may be used once; its successor is a keyed
 * function of it, so a client that lost the answer gets the same one again and no second branch can exist.
 * Tested in rotation.test.ts.
 */

/** How long a spent token still gives its unused successor: time for a lost answer to be asked for again. */
export const graceMs = 10_000

export interface RefreshState {
  readonly status: 'active' | 'revoked'
  readonly refreshJti: string
  readonly previousJti: string | null
  /** Unix milliseconds. */
  readonly rotatedAt: number
  readonly idleExpiresAt: number
  readonly expiresAt: number
}

export type RefreshVerdict = 'rotate' | 'repeat' | 'reuse' | 'ended' | 'expired'

export function judgeRefresh(session: RefreshState, jti: string, now: number): RefreshVerdict {
  if (session.status === 'revoked') return 'ended'
  if (now >= session.idleExpiresAt || now >= session.expiresAt) return 'expired'
  if (jti === session.refreshJti) return 'rotate'
  // The successor is unused as long as the session still names it as the next one.
  if (jti === session.previousJti && now - session.rotatedAt <= graceMs) return 'repeat'
  return 'reuse'
}

/** The session's state once its current token is spent. */
export function rotated(
  session: RefreshState,
  next: { readonly jti: string; readonly now: number; readonly idleMs: number },
): RefreshState {
  return {
    ...session,
    previousJti: session.refreshJti,
    refreshJti: next.jti,
    rotatedAt: next.now,
    idleExpiresAt: Math.min(next.now + next.idleMs, session.expiresAt),
  }
}
