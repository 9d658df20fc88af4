import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'

/** The parts of the kernel that a change of a risk needs. */
export type ChangeParts = Pick<Kernel, 'clock' | 'random' | 'settings'>

/** Services of the routes and jobs of the module. */
export interface RiskServices {
  readonly kernel: Kernel
  readonly iam: Pick<IamApi, 'knownPrincipals'>
}
