import type { Facts } from '../../../kernel/facts/facts.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { AegisApi } from '../../aegis/api.ts'
import type { ComplianceApi } from '../../compliance/api.ts'
import type { IamApi } from '../../iam/api.ts'
import type { TrustApi } from '../../trust/api.ts'

/** Dependencies of the routes, handlers and jobs of the module. */
export interface PlatformServices {
  readonly kernel: Kernel
  readonly iam: Pick<IamApi, 'recipients' | 'findRoles' | 'knownPrincipals' | 'timeZone'>
  readonly aegis: Pick<AegisApi, 'activate' | 'deactivate' | 'quarantineAgent'>
  readonly compliance: ComplianceApi
  readonly trust: TrustApi
  readonly facts: () => Facts
}
