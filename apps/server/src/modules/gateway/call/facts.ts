import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import type { Asked } from './asked.ts'

/** Facts about a call before its first step. */
export interface CallFacts {
  readonly id: string
  readonly requestId: string
  readonly traceparent: string
  readonly ip: string
  readonly userAgent: string | null
  readonly tenantId: TenantId
  readonly actor: Actor
  readonly asked: Asked
  readonly startedAt: string
  /** Gateways of this kind that the call passed before this one. */
  readonly hops: number
  /** From the monotonic clock. */
  readonly startedMs: number
}

export interface WithFacts {
  readonly facts: CallFacts
}
