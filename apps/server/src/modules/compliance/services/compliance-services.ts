import type { Facts } from '../../../kernel/facts/facts.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'

/** What the routes and jobs of the module work with. */
export interface ComplianceServices {
  readonly kernel: Kernel
  readonly iam: Pick<IamApi, 'knownPrincipals'>
  readonly facts: () => Facts
}
