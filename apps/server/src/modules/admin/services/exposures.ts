import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'
import type { Attributes } from '../flags/engine/constraints.ts'

export interface Exposures extends Activity {
  served(tenantId: TenantId, flagId: string, variant: string): void
  asked(tenantId: TenantId, context: Attributes): void
  /** The last contexts asked about, the newest last; for the platform those of all tenants. */
  recent(tenantId: TenantId): readonly Attributes[]
  flush(): Promise<void>
}
