import type { Kernel } from '../../../kernel/kernel.ts'
import type { CancelledJob, Notice } from '../../../kernel/notices/notices.ts'
import type { IamApi } from '../../iam/api.ts'
import type { Exposures } from './exposures.ts'
import type { FlagChanges } from './flag-changes.ts'
import type { FlagStore } from './flag-store.ts'
import type { HealthService } from './health-service.ts'
import type { Seats } from './seats.ts'
import type { SettingStore } from './setting-store.ts'

/** Dependencies of the module's services. */
export interface AdminServices {
  readonly kernel: Kernel
  readonly iam: IamApi
  readonly settings: SettingStore
  readonly flags: FlagStore
  readonly flagChanges: FlagChanges
  readonly exposures: Exposures
  readonly health: HealthService
  readonly seats: Seats
  /** Tells the module that owns a job, in the transaction that cancels it. */
  readonly jobCancelled: Notice<CancelledJob>
}
