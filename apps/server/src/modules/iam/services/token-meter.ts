import type { TenantId } from '../../../kernel/access/actor.ts'

/** Tokens of the tenant's model calls since midnight of UTC. */
export type TokenCount = (tenantId: TenantId) => Promise<number>

export interface TokenMeter {
  readonly read: TokenCount
  readonly fill: (read: TokenCount) => void
}

export function createTokenMeter(): TokenMeter {
  let read: TokenCount = async () => 0
  return {
    read: (tenantId) => read(tenantId),
    fill: (given) => {
      read = given
    },
  }
}
