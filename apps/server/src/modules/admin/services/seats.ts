import type { TenantId } from '../../../kernel/auth/actor.ts'
import type { Activity } from '../../../kernel/module.ts'

export interface Seats extends Activity {
  limit(tenantId: TenantId): number | null
  refresh(): Promise<void>
}
