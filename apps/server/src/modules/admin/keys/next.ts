import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { KeyFacts } from '../../../kernel/keys/administration.ts'
import { dataKeyDays, tokenKeyDays } from './settings.ts'

const dayMs = 86_400_000
const days = { data: dataKeyDays, token: tokenKeyDays } as const

/** When age replaces the key by itself; null for keys that only people replace, and for those that do not lock or sign any more. */
export function rotatesAt(
  { settings }: Pick<Kernel, 'settings'>,
  tenantId: TenantId,
  { purpose, status, activates_at: since }: KeyFacts,
): string | null {
  if (status !== 'active' || since === null || !(purpose === 'data' || purpose === 'token')) return null
  const after = settings.get(days[purpose], purpose === 'data' ? tenantId : null)
  return after === 0 ? null : new Date(Date.parse(since) + after * dayMs).toISOString()
}
