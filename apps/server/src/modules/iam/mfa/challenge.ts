/**
 * The token issued when a right password, or an identity provider's assertion, is not enough: for a few minutes its
 * holder can enroll a first factor, or learn which passkeys to ask for, and do nothing else. Nothing is stored; the
 * token becomes invalid when the account's password changes. Tested in ../factors/mfa.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Clock } from '../../../kernel/base/clock.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { PlatformKeys } from '../../../kernel/keys/port.ts'
import { tenantIdOf, uuidPattern } from '../directory/tenant-id.ts'

/** Seconds a token is valid. */
export const challengeLife = 600

export interface Challenged {
  readonly tenantId: TenantId
  readonly userId: string
}

export function makeChallenge({ clock, platformKeys }: Kernel, who: Challenged, passwordHash: string | null): string {
  const body = [who.tenantId, who.userId, Math.floor(clock.now() / 1000) + challengeLife].join('.')
  return `${body}.${sealOf(platformKeys, body, passwordHash)}`
}

/** The account a token names, not yet verified: that needs the account. Null for a malformed or expired token. */
export function readChallenge(token: string, clock: Pick<Clock, 'now'>): Challenged | null {
  const [tenantId = '', userId = '', ends = '', ...rest] = token.split('.')
  if (rest.length !== 1 || !uuidPattern.test(tenantId) || !uuidPattern.test(userId)) return null
  if (!/^\d{1,12}$/.test(ends) || Number(ends) * 1000 <= clock.now()) return null
  return { tenantId: tenantIdOf(tenantId), userId }
}

/** Whether this installation gave the token for the account's present password. */
export function isGenuine({ platformKeys }: Kernel, token: string, passwordHash: string | null): boolean {
  const cut = token.lastIndexOf('.')
  const seal = sealOf(platformKeys, token.slice(0, cut), passwordHash)
  // Both sides are keyed digests, so where the comparison stops tells a forger nothing useful.
  return platformKeys.mac('mfa-challenge', seal) === platformKeys.mac('mfa-challenge', token.slice(cut + 1))
}

function sealOf(keys: PlatformKeys, body: string, passwordHash: string | null): string {
  return keys.mac('mfa-challenge', `${body}.${passwordHash ?? ''}`)
}
