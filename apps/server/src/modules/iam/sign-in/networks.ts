/** Where a tenant lets people sign in from, and renew their sessions from. Tested in networks.test.ts. */

import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import { isAllowedAddress } from '../../../kernel/net/networks.ts'
import { assertNetworks } from '../api-keys/rules.ts'
import type { EffectiveSettings, SettingsPatch } from '../schemas/tenants.ts'

type Networks = Pick<EffectiveSettings, 'login_allowed_cidrs'>

/** AUTH-011 for an address outside of them; checked only after the person is authenticated. */
export function elsewhere({ login_allowed_cidrs: networks }: Networks, ip: string | null): ProblemError | null {
  // An empty list means the networks of several tenants have nothing in common.
  const open = networks === null || (networks.length > 0 && ip !== null && isAllowedAddress(ip, networks))
  return open ? null : authErrors.addressNotAllowed()
}

const pointer = '/settings/login_allowed_cidrs'

/** @throws API-001 */
export function assertLoginNetworks({ login_allowed_cidrs: networks }: SettingsPatch): void {
  if (networks != null) assertNetworks(networks, pointer)
}

/** Administrators cannot lock themselves out. @throws API-001 */
export function assertStillInside(settings: Networks, ip: string | null): void {
  if (elsewhere(settings, ip) === null) return
  const detail = 'Your own address is in none of these networks: you could not sign in again.'
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer }])
}
