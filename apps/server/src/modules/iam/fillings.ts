/** The ports of the kernel that this module answers. */
import { identityPort } from '../../kernel/auth/port.ts'
import { storageLimitPort } from '../../kernel/blobs/storage-limits.ts'
import { healthPort, tenantHealthPort } from '../../kernel/health/checks.ts'
import { ipCountryCheck } from '../../kernel/ip-country/ip-country.ts'
import { fill, type PortFilling } from '../../kernel/module/ports/port.ts'
import { tenantIdOf } from './directory/tenant-id.ts'
import { createIdentity } from './identity/identity.ts'
import { breachListCheck } from './passwords/breached.ts'
import { storageLimit } from './quotas/quotas.ts'
import type { IamServices } from './services/iam-services.ts'
import { certificateCheck } from './sso/connections/certificate-check.ts'

export const iamFillings: readonly PortFilling<IamServices>[] = [
  fill(identityPort, createIdentity),
  fill(
    storageLimitPort,
    ({ kernel }: IamServices) =>
      (tenant) =>
        storageLimit(kernel.db, tenantIdOf(tenant)),
  ),
  fill(healthPort, ({ breached }: IamServices) => breachListCheck(breached)),
  fill(healthPort, ({ ipCountries, kernel }: IamServices) => ipCountryCheck(ipCountries, kernel.clock.now)),
  fill(tenantHealthPort, ({ kernel }: IamServices) => certificateCheck(kernel)),
]
