import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Finding } from '../../../kernel/health/checks.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'

type Status = Finding['status']

export interface CheckState {
  readonly status: Status
  readonly latency_ms: number
  /** Since when it has had this status. */
  readonly since: string
  readonly checked_at: string
  /** Status found by the last run, which may not be confirmed yet. */
  readonly last_status: Status
  /** Of the last failure. */
  readonly error_class: string | null
  readonly observed: Readonly<Record<string, string | number | boolean | null>>
}

type States = Readonly<Record<string, CheckState>>

export interface HealthService extends Activity {
  platform(maxAgeMs: number): Promise<States>
  tenant(tenantId: TenantId, maxAgeMs: number): Promise<States>
}
