/**
 * What the first of two people asked for, as a token the second one repeats it with. Promises that a token confirms the
 * very same thing, in the same tenant, for 15 minutes; that the second is another person is for its reader to see.
 * Tested in confirm-token.test.ts.
 */
import { sha256 } from '../crypto/digest.ts'
import type { PlatformKeys } from '../keys/port.ts'

/** How long the second person has, in milliseconds. */
const lifeMs = 15 * 60_000

export interface Confirmable {
  /** Of these keys alone: a token of one purpose is none of another. */
  readonly purpose: 'kill-switch-confirm' | 'vault-reveal-confirm' | 'policy-change-confirm'
  readonly tenantId: string
  /** All that the first person asked for and the second has to ask for too. */
  readonly subject: readonly string[]
}

/** A token that names what was asked and who asked. */
export function makeConfirmToken(
  keys: PlatformKeys,
  asked: Confirmable & { readonly by: string },
  nowMs: number,
): string {
  const body = [digestOf(asked), asked.by, nowMs + lifeMs].join('.')
  return `${body}.${keys.mac(asked.purpose, body)}`
}

/** Who asked first, or null when the token is forged, over or about something else. */
export function readConfirmToken(
  keys: PlatformKeys,
  token: string,
  asked: Confirmable & { readonly nowMs: number },
): { readonly by: string } | null {
  const { purpose } = asked
  const cut = token.lastIndexOf('.')
  const body = token.slice(0, Math.max(cut, 0))
  const [digest, by, endsMs] = body.split('.')
  // Both sides are keyed digests, so where a comparison stops tells a forger nothing useful.
  if (cut < 0 || keys.mac(purpose, keys.mac(purpose, body)) !== keys.mac(purpose, token.slice(cut + 1))) return null
  if (digest !== digestOf(asked) || by === undefined) return null
  return Number(endsMs) > asked.nowMs ? { by } : null
}

function digestOf({ tenantId, subject }: Confirmable): string {
  return sha256(JSON.stringify([tenantId, ...subject]), 'base64url')
}
