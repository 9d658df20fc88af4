import { isNetwork, isWithin } from '../../kernel/auth/networks.ts'
import { missingFrom, permissionSet } from '../../kernel/auth/permissions.ts'
import { apiErrors } from '../../kernel/http/errors.ts'
import { errors } from './errors.ts'

export const dayMs = 86_400_000
export const defaultLifeDays = 90
export const defaultOverlapHours = 24

/** What a key allows; each part can be narrowed freely and widened only by who may grant all of it. */
export interface KeyReach {
  readonly scopes: readonly string[]
  readonly allowed_cidrs: readonly string[]
  readonly rate_limit_per_minute: number | null
  /** ISO */
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

/** @throws IAM-012 when a key would end in the past, or live longer than the tenant allows */
export function assertLife(expiresAt: string, bounds: { readonly now: number; readonly maxDays: number }): void {
  const end = Date.parse(expiresAt)
  if (end <= bounds.now) throw errors.keyRule({ what: 'The key would have ended already.' })
  if (end > bounds.now + bounds.maxDays * dayMs)
    throw errors.keyRule({ what: `A key lives at most ${bounds.maxDays} days here.` })
}
