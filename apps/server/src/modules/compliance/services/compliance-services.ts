import type { Facts } from '../../../kernel/facts/facts.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'

/** Services of the routes and jobs of the module. */
export interface ComplianceServices {
  readonly kernel: Kernel
  readonly iam: Pick<IamApi, 'knownPrincipals'>
  readonly facts: () => Facts
}
