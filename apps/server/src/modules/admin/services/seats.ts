import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'

export interface Seats extends Activity {
  limit(tenantId: TenantId): number | null
  refresh(): Promise<void>
}
