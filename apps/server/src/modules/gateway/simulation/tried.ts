import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import type { PolicyRow } from '../policies/schema.ts'
import type { PublishedPolicy } from '../policy/published.ts'
import type { TenantSnapshot } from '../policy/snapshot.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import type { NewSimulation } from './schema.ts'

export interface Tried {
  readonly services: GatewayServices
  readonly asked: SimulationAsked
  readonly snapshot: TenantSnapshot
  readonly prepared: Prepared
  readonly deadlineMs: number
}

export interface SimulationAsked {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly policyId: string
  readonly body: NewSimulation
}

export interface Prepared {
  readonly row: PolicyRow
  readonly policy: PublishedPolicy
  /** Null for a document that is not saved. */
  readonly version: number | null
  readonly other: PublishedPolicy | null
}
