import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import type { IpCountries } from '../../../kernel/ip-country/ip-country.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import type { BreachList } from '../passwords/breached.ts'
import type { Passwords } from '../passwords/hashing.ts'
import type { SeatLimit, TokensToday } from '../ports/ports.ts'
import type { TxtRecords } from '../sso/domains.ts'
import type { KeyUse } from './key-use.ts'
import type { MinuteReports } from './minute-reports.ts'
import type { SetupState } from './setup-state.ts'

/** Services the module's rules use. */
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
  readonly seatLimit: SeatLimit
  readonly tokensToday: TokensToday
  /** Where domains are proven. */
  readonly txtRecords: TxtRecords
  /** The token that lets the first administrator be made; null when there is one. For the process that prints it. */
  ensureSetup(): Promise<{ readonly token: string | null }>
  /** @throws IAM-002 */
  bootstrapUnattended(admin: { readonly email: string; readonly password: string }): Promise<unknown>
}

/** Where a caller's own account is, also while an operator acts in another tenant. */
export function homeScope(request: RequestInfo, actor: Actor): TenantScope {
  return { tenantId: actor.homeTenantId, origin: originOf(request, actor) }
}
