import type { PlatformKeys } from '../../kernel/crypto/port.ts'

const purpose = 'kill-switch-confirm'
/** How long the second person has, in milliseconds. */
const lifeMs = 15 * 60_000

/** What the first person asked for. */
export interface Confirmation {
  readonly killSwitchId: string
  readonly tenantId: string
  readonly by: string
}

/** A token that names the switch and the first person; good for 15 minutes. */
export function makeConfirmToken(keys: PlatformKeys, request: Confirmation, nowMs: number): string {
  const body = [request.killSwitchId, request.tenantId, request.by, nowMs + lifeMs].join('.')
  return `${body}.${keys.mac(purpose, body)}`
}

/** Who asked first, or null when the token is forged, over or about another switch. */
export function readConfirmToken(
  keys: PlatformKeys,
  token: string,
  expected: Omit<Confirmation, 'by'> & { readonly nowMs: number },
): { readonly by: string } | null {
  const cut = token.lastIndexOf('.')
  const body = token.slice(0, Math.max(cut, 0))
  const [killSwitchId, tenantId, by, endsMs] = body.split('.')
  // Both sides are keyed digests, so where a comparison stops tells a forger nothing useful.
  if (cut < 0 || keys.mac(purpose, keys.mac(purpose, body)) !== keys.mac(purpose, token.slice(cut + 1))) return null
  if (killSwitchId !== expected.killSwitchId || tenantId !== expected.tenantId || by === undefined) return null
  return Number(endsMs) > expected.nowMs ? { by } : null
}
