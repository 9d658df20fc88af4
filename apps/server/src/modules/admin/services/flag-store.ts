import type { TenantId } from '../../../kernel/access/actor.ts'
import type { FlagSet } from '../flags/engine/evaluate.ts'
import type { FlagRow } from '../flags/schemas/flags.ts'

export interface HeldFlags {
  readonly set: FlagSet
  readonly rows: ReadonlyMap<string, FlagRow>
}

export interface FlagStore {
  /** From memory when it is there. */
  get(tenantId: TenantId): HeldFlags | Promise<HeldFlags>
  /** Calls when flags or segments of the tenant have changed, until the answer is called. */
  onChange(tenantId: TenantId, changed: () => void): () => void
}
