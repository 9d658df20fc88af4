import { availableParallelism } from 'node:os'
import { ipCountryCheck, openIpCountries } from '../../kernel/ip-country/ip-country.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createKeyUse } from './api-keys/use.ts'
import { bootstrapUnattended } from './bootstrap/bootstrap.ts'
import { createSetupState } from './bootstrap/setup.ts'
import { tenantIdOf } from './directory/tenant-id.ts'
import { createIdentity } from './identity/identity.ts'
import { createBreachRange } from './passwords/breach-range.ts'
import { breachListCheck, openBreachList } from './passwords/breached.ts'
import { createPasswords, hashCosts } from './passwords/hashing.ts'
import { createHashQueue } from './passwords/queue.ts'
import { storageLimit } from './quotas/quotas.ts'
import { createSyncReports } from './scim/sync-failures.ts'
import type { IamServices } from './services/iam-services.ts'
import { createTokenMeter } from './services/token-meter.ts'
import { createFailureReports } from './sign-in/failure-reports.ts'
import { watchCertificates } from './sso/connections/certificate-check.ts'
import { systemTxtRecords } from './sso/domains.ts'

const waitingHashes = 64

export function createServices(kernel: Kernel): IamServices {
  const setup = createSetupState(kernel)
  const { egress, log, config } = kernel
  const range = createBreachRange({ egress, log, url: config.breachedPasswordsUrl })
  const breached = openBreachList(config.breachedPasswordsFile, range)
  kernel.health.add(breachListCheck(breached))
  const ipCountries = openIpCountries(config.ipCountryFile)
  kernel.health.add(ipCountryCheck(ipCountries, kernel.clock.now))
  const services: IamServices = {
    kernel,
    passwords: createPasswords({
      peppers: kernel.peppers,
      randomBytes: kernel.random.bytes,
      cost: hashCosts[config.passwordHashing],
      // One core stays free, and of the four threads of libuv's pool, which also reads files and resolves names, two.
      queue: createHashQueue({ inFlight: Math.max(2, availableParallelism() - 1), waiting: waitingHashes }),
    }),
    breached,
    ipCountries,
    setup,
    failures: createFailureReports(kernel),
    syncFailures: createSyncReports(kernel),
    keyUse: createKeyUse(kernel),
    tokens: createTokenMeter(),
    txtRecords: systemTxtRecords,
    ensureSetup: setup.ensure,
    bootstrapUnattended: (admin) => bootstrapUnattended(services, admin),
  }
  kernel.auth.fill(createIdentity(services))
  kernel.storage.fill((tenant) => storageLimit(kernel.db, tenantIdOf(tenant)))
  watchCertificates(kernel)
  return services
}
