import { missingFrom, permissionSet } from '../../../kernel/access/permissions.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { isNetwork, isWithin } from '../../../kernel/net/networks.ts'
import { errors } from '../errors/errors.ts'
import type { EffectiveSettings } from '../schemas/tenants.ts'

export const dayMs = 86_400_000
export const defaultLifeDays = 90
export const defaultOverlapHours = 24

/**
 * The end of a key that has none, the last moment that ISO 8601 writes with four digits of a year: so that everything that
 * compares ends, in statements and in rules, has one comparison and no key without an end is ever forgotten by it.
 */
const endless = '9999-12-31T23:59:59.999Z'

/** Stored form of a requested expiry. */
export const keptEnd = (expiresAt: string | null): string => expiresAt ?? endless

/** API form of a stored expiry; null for a key without one. */
export const shownEnd = (expiresAt: string): string | null => (expiresAt === endless ? null : expiresAt)

/** Reach of a key; each part can be narrowed freely, and widened only by a person who may grant all of it. */
export interface KeyReach {
  readonly scopes: readonly string[]
  readonly allowed_cidrs: readonly string[]
  readonly rate_limit_per_minute: number | null
  /** ISO, as kept: see `keptEnd`. */
  readonly expires_at: string
}

/** Whether `to` lets nothing through that `from` did not. */
export function isNarrowing(from: KeyReach, to: KeyReach): boolean {
  const scopes = missingFrom(permissionSet(from.scopes), permissionSet(to.scopes)).length === 0
  const life = Date.parse(to.expires_at) <= Date.parse(from.expires_at)
  const rate =
    from.rate_limit_per_minute === null ||
    (to.rate_limit_per_minute !== null && to.rate_limit_per_minute <= from.rate_limit_per_minute)
  return scopes && life && rate && networksNarrow(from.allowed_cidrs, to.allowed_cidrs)
}

/** An empty list allows every address. */
function networksNarrow(from: readonly string[], to: readonly string[]): boolean {
  if (from.length === 0) return true
  return to.length > 0 && to.every((network) => from.some((wider) => isWithin(network, wider)))
}

/** @throws API-001 pointing at what is not an address or network */
export function assertNetworks(networks: readonly string[], at = '/allowed_cidrs'): void {
  networks.forEach((network, index) => {
    if (isNetwork(network)) return
    const detail = 'Not an address or a network in CIDR form.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: `${at}/${index}` }])
  })
}

/** Bounds a tenant sets on the lifetime of keys. */
export type KeyLife = Pick<EffectiveSettings, 'api_key_max_days' | 'api_key_without_expiry'>

/**
 * @param expiresAt as kept
 * @throws IAM-012 when a key would end in the past, or live longer than the tenant allows
 */
export function assertLife(expiresAt: string, bounds: KeyLife & { readonly now: number }): void {
  const { api_key_max_days: maxDays, api_key_without_expiry: mayBeEndless } = bounds
  if (shownEnd(expiresAt) === null) {
    if (mayBeEndless) return
    throw errors.keyRule({ what: `A key needs an end here, at most ${maxDays} days from now.` })
  }
  const end = Date.parse(expiresAt)
  if (end <= bounds.now) throw errors.keyRule({ what: 'The key would have ended already.' })
  if (end > bounds.now + maxDays * dayMs) throw errors.keyRule({ what: `A key lives at most ${maxDays} days here.` })
}
