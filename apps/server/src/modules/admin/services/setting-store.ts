import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'
import type { SettingValues } from '../../../kernel/settings/settings.ts'

/** One stored value, as readers and views need it. */
export interface HeldSetting {
  readonly value: unknown
  readonly isSet: boolean
  readonly digest: string | null
  readonly revision: number
  readonly updatedBy: string | null
  readonly updatedAt: string
}

export interface SettingStore extends SettingValues, Activity {
  /** The revision this instance runs with. */
  revision(): number
  held(tenantId: TenantId, key: string): HeldSetting | undefined
  /** The revision that last changed this tenant's layer, or the platform's. */
  revisionOf(tenantId: TenantId): number
  /** Loads stored values that are newer than the held ones. */
  refresh(): Promise<void>
  /** Tells of each layer of which something new counts here. */
  onChange(listener: (tenantId: TenantId) => void): void
}
