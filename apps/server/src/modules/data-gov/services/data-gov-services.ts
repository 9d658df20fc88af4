import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'
import type { SubjectState } from '../engine/decide.ts'
import type { Snapshot } from '../engine/snapshot.ts'

/** Objects that the routes, guards and jobs of the module work with. */
export interface DataGovServices {
  readonly kernel: Kernel
  readonly iam: Pick<IamApi, 'correctName' | 'erasePerson' | 'knownPrincipals'>
  readonly consent: ConsentMemory
  readonly lineage: LineageMemory
  /** Keyed hash of an identifier of a person. */
  readonly hashOf: HashOf
}

export type HashOf = (tenantId: TenantId, value: string) => Promise<string>

export interface ConsentMemory {
  /** State of a person by an identifier; null where nothing is recorded. @param fresh reads it in any case */
  find(tenantId: TenantId, alias: string, fresh?: boolean): Promise<SubjectState | null>
  /** The state, where it is in memory. */
  known(tenantId: TenantId, alias: string): SubjectState | null | undefined
  stop(): void
}

export interface LineageMemory {
  current(tenantId: TenantId): Promise<Snapshot>
  /** As it was, by the validity of edges; labels are those of now. @param at ISO 8601 */
  asOf(tenantId: TenantId, at: string): Promise<Snapshot>
  stop(): void
}
