import type { Kernel } from '../../../../kernel/kernel.ts'
import type { IamApi } from '../../../iam/api.ts'

/** Dependencies of the shadow AI rules. */
export interface ShadowAiParts {
  readonly kernel: Kernel
  readonly iam: Pick<IamApi, 'peopleByLogin' | 'dataResidency' | 'knownPrincipals'>
}
