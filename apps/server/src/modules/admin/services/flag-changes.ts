import type { TenantId } from '../../../kernel/access/actor.ts'
import type { AbortWatch } from '../../../kernel/base/abort.ts'
import type { EndlessAnswer } from '../../../kernel/module/route.ts'

export interface Ticket {
  readonly tenantId: TenantId
  /** Unix milliseconds. */
  readonly endsAt: number
}

export interface FlagChanges {
  /** @throws AUTH-002 without a good ticket, API-020 when there are too many streams */
  open(ticket: Ticket | null, signal: AbortWatch): EndlessAnswer
}
