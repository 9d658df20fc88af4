/** Answers this module needs from modules that start after it: how many people may be added, and today's usage. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { definePort } from '../../../kernel/module/ports/port.ts'

/** Maximum number of people of a tenant; null is unlimited. Asked when people are added, and only then. */
export type SeatLimit = (tenantId: TenantId) => number | null

export const seatLimitPort = definePort<SeatLimit>({
  name: 'iam.seat_limit',
  cardinality: 'one',
  default: () => null,
})

/** Tokens of the tenant's model calls since midnight UTC. */
export type TokensToday = (tenantId: TenantId) => Promise<number>

export const tokensTodayPort = definePort<TokensToday>({
  name: 'iam.tokens_today',
  cardinality: 'one',
  default: async () => 0,
})
