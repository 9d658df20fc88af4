import { availableParallelism } from 'node:os'
import type { Actor } from '../../kernel/auth/actor.ts'
import type { Origin, TenantScope } from '../../kernel/db/port.ts'
import { type IpCountries, ipCountryCheck, openIpCountries } from '../../kernel/ip-country/ip-country.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { RequestInfo } from '../../kernel/route.ts'
import { createKeyUse, type KeyUse } from './api-key-use.ts'
import { bootstrapUnattended } from './bootstrap.ts'
import { createIdentity } from './identity.ts'
import type { MinuteReports } from './minute-reports.ts'
import { createBreachRange } from './passwords/breach-range.ts'
import { type BreachList, breachListCheck, openBreachList } from './passwords/breached.ts'
import { createPasswords, hashCosts, type Passwords } from './passwords/hashing.ts'
import { createHashQueue } from './passwords/queue.ts'
import { storageLimit } from './quotas.ts'
import { createSyncReports } from './scim/sync-failures.ts'
import { createSetupState, type SetupState } from './setup.ts'
import { createFailureReports } from './sign-in/failure-reports.ts'
import { watchCertificates } from './sso/certificate-check.ts'
import { systemTxtRecords, type TxtRecords } from './sso/domains.ts'
import { tenantIdOf } from './tenant-id.ts'
import { createTokenMeter, type TokenMeter } from './usage.ts'

/** What the module's rules work with. */
export interface IamServices {
  readonly kernel: Kernel
  readonly passwords: Passwords
  /** Passwords that were stolen elsewhere. */
  readonly breached: BreachList
  /** Where addresses are. */
  readonly ipCountries: IpCountries
  readonly setup: SetupState
  readonly failures: MinuteReports
  readonly syncFailures: MinuteReports
  readonly keyUse: KeyUse
  /** What other modules count against quotas. */
  readonly tokens: TokenMeter
  /** Where domains are proven. */
  readonly txtRecords: TxtRecords
  /** The token that lets the first administrator be made; null when there is one. For the process that prints it. */
  ensureSetup(): Promise<{ readonly token: string | null }>
  /** @throws IAM-002 */
  bootstrapUnattended(admin: { readonly email: string; readonly password: string }): Promise<unknown>
}

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

/** The origin of transactions that a route opens itself. */
export function originOf(request: RequestInfo, actor: Actor | null): Origin {
  return {
    actor,
    requestId: request.id,
    ip: request.ip,
    userAgent: request.userAgent,
    traceparent: request.traceparent,
    causationDepth: 0,
    signal: null,
  }
}

/** Where a caller's own account is, also while an operator acts in another tenant. */
export function homeScope(request: RequestInfo, actor: Actor): TenantScope {
  return { tenantId: actor.homeTenantId, origin: originOf(request, actor) }
}
