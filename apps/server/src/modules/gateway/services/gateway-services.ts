import type { Kernel } from '../../../kernel/kernel.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'
import type { AegisApi } from '../../aegis/api.ts'
import type { IamApi } from '../../iam/api.ts'
import type { Classifiers } from '../detection/classifiers/classifiers.ts'
import type { Money } from '../money/money.ts'
import type { Pipeline } from '../pipeline/order.ts'
import type { PipelineParts } from '../pipeline/steps/parts.ts'
import type { TenantSnapshots } from '../policy/snapshot.ts'

export interface GatewayServices {
  readonly kernel: Kernel
  readonly aegis: AegisApi
  readonly iam: IamApi
  /** Parts for building a pipeline other than the usual one. */
  readonly parts: PipelineParts
  readonly pipeline: Pipeline
  readonly snapshots: TenantSnapshots
  readonly money: Money
  readonly classifiers: Classifiers
  /** Stores records queued for the log before the process ends. */
  readonly recording: Activity
}
