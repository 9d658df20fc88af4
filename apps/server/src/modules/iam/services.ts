import { availableParallelism } from 'node:os'
import { openIpCountries } from '../../kernel/ip-country/ip-country.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Need } from '../../kernel/module/ports/port.ts'
import { createKeyUse } from './api-keys/use.ts'
import { bootstrapUnattended } from './bootstrap/bootstrap.ts'
import { createSetupState } from './bootstrap/setup.ts'
import { createBreachRange } from './passwords/breach-range.ts'
import { openBreachList } from './passwords/breached.ts'
import { createPasswords, hashCosts } from './passwords/hashing.ts'
import { createHashQueue } from './passwords/queue.ts'
import { seatLimitPort, tokensTodayPort } from './ports/ports.ts'
import { createSyncReports } from './scim/sync-failures.ts'
import type { IamServices } from './services/iam-services.ts'
import { createFailureReports } from './sign-in/failure-reports.ts'
import { systemTxtRecords } from './sso/domains.ts'

const waitingHashes = 64

export function createServices(kernel: Kernel, need: Need): IamServices {
  const [seatLimit, tokensToday] = [need(seatLimitPort), need(tokensTodayPort)]
  const setup = createSetupState(kernel)
  const { egress, log, config } = kernel
  const range = createBreachRange({ egress, log, url: config.breachedPasswordsUrl })
  const breached = openBreachList(config.breachedPasswordsFile, range)
  const ipCountries = openIpCountries(config.ipCountryFile)
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
    seatLimit: (tenantId) => seatLimit()(tenantId),
    tokensToday: (tenantId) => tokensToday()(tenantId),
    txtRecords: systemTxtRecords,
    ensureSetup: setup.ensure,
    bootstrapUnattended: (admin) => bootstrapUnattended(services, admin),
  }
  return services
}
