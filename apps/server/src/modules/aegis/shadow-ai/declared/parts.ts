import type { Kernel } from '../../../../kernel/kernel.ts'
import type { IamApi } from '../../../iam/api.ts'

/** What the rules of shadow AI work with. */
export interface ShadowAiParts {
  readonly kernel: Kernel
  readonly iam: Pick<IamApi, 'peopleByLogin' | 'dataResidency' | 'knownPrincipals'>
}
