/**
 * Shares of the job slots of this instance: no tenant takes every slot, and no kind more than it declares. Pure; asked
 * before each claim. Tested in worker.test.ts.
 */
import type { TenantId } from '../access/actor.ts'
import type { JobDeclaration } from '../module/module.ts'

export interface Running {
  readonly tenantId: TenantId
  readonly kind: string
}

type Declared = Pick<JobDeclaration<unknown>, 'kind' | 'mostAtOnce'>

export interface Share {
  readonly kinds: readonly string[]
  /** Tenants that have had their share. */
  readonly but: readonly TenantId[]
  readonly limit: number
}

/** Null when there is nothing to claim for. */
export function shareOf(slots: number, declared: readonly Declared[], running: readonly Running[]): Share | null {
  const counted = (matches: (one: Running) => boolean): number => running.filter(matches).length
  const open = declared.filter(
    ({ kind, mostAtOnce = slots }) => counted((one) => one.kind === kind) < Math.min(slots, mostAtOnce),
  )
  const free = slots - running.length
  if (free <= 0 || open.length === 0) return null
  // One slot always stays free for another tenant.
  const mostOfTenant = Math.max(1, slots - 1)
  const tenants = [...new Set(running.map(({ tenantId }) => tenantId))]
  const but = tenants.filter((tenant) => counted((one) => one.tenantId === tenant) >= mostOfTenant)
  // A claim takes one job of each tenant, which may be of the same kind.
  const isBounded = open.some(({ mostAtOnce }) => mostAtOnce !== undefined)
  return { kinds: open.map(({ kind }) => kind), but, limit: isBounded ? 1 : free }
}
