/**
 * Judges a refresh token by its session and the client that presents it. Each token may be used once; its successor
 * is a keyed function of it, so a client that lost the answer gets the same one again and no second branch can exist.
 * Tested in rotation.test.ts.
 */

import type { SessionLife } from './session-life.ts'

/** How long a spent token still returns its unused successor: time for a client to ask again for a lost answer. */
export const graceMs = 10_000

export interface RefreshState {
  readonly status: 'active' | 'revoked'
  readonly refreshJti: string
  readonly previousJti: string | null
  /** Unix milliseconds. */
  readonly rotatedAt: number
  readonly idleExpiresAt: number
  readonly expiresAt: number
  /** The client that spent the last token; null before the first was spent. */
  readonly rotatedBy: RefreshClient | null
}

/** Known properties of a client. */
export interface RefreshClient {
  /** Of the browser's cookie, or of the browser that opened the session; null for clients that keep none. */
  readonly deviceId: string | null
  readonly ip: string | null
  readonly userAgent: string | null
}

export interface RefreshUse {
  readonly jti: string
  readonly client: RefreshClient
  /** Unix milliseconds. */
  readonly now: number
}

export type RefreshVerdict = 'rotate' | 'repeat' | 'reuse' | 'ended' | 'expired'

export function judgeRefresh(session: RefreshState, { jti, client, now }: RefreshUse): RefreshVerdict {
  if (session.status === 'revoked') return 'ended'
  if (now >= session.idleExpiresAt || now >= session.expiresAt) return 'expired'
  if (jti === session.refreshJti) return 'rotate'
  // The successor is unused as long as the session still names it as the next one.
  const inGrace = jti === session.previousJti && now - session.rotatedAt <= graceMs
  return inGrace && isSame(session.rotatedBy, client) ? 'repeat' : 'reuse'
}

/** A browser that shows its cookie is itself also from another network: an answer is often lost by changing it. */
function isSame(spender: RefreshClient | null, client: RefreshClient): boolean {
  if (spender === null) return false
  if (spender.deviceId !== null && spender.deviceId === client.deviceId) return true
  return spender.ip === client.ip && spender.userAgent === client.userAgent
}

/** The state under the life its holder's rights give now: a promotion or a stricter tenant shortens, nothing lengthens. */
export function bounded(session: RefreshState, life: SessionLife & { readonly startedAt: number }): RefreshState {
  const expiresAt = Math.min(session.expiresAt, life.startedAt + life.absoluteMs)
  return {
    ...session,
    expiresAt,
    idleExpiresAt: Math.min(session.idleExpiresAt, session.rotatedAt + life.idleMs, expiresAt),
  }
}

/** The session's state once its current token is spent. */
export function rotated(session: RefreshState, next: RefreshUse & { readonly idleMs: number }): RefreshState {
  return {
    ...session,
    previousJti: session.refreshJti,
    refreshJti: next.jti,
    rotatedAt: next.now,
    rotatedBy: next.client,
    idleExpiresAt: Math.min(next.now + next.idleMs, session.expiresAt),
  }
}
