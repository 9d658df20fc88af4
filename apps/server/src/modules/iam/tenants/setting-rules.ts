import { isTimeZone } from '../../../kernel/base/time-zone.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { assertBlockedWords } from '../passwords/rules.ts'
import type { SettingsPatch } from '../schemas/tenants.ts'
import { assertLoginNetworks } from '../sign-in/networks.ts'

/** Rules for a tenant's settings that a schema cannot express. @throws API-001 */
export function assertSettings(settings: SettingsPatch = {}): void {
  assertLoginNetworks(settings)
  assertBlockedWords(settings)
  const { time_zone: zone } = settings
  if (zone == null || isTimeZone(zone)) return
  const detail = `There is no time zone ${zone}.`
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/settings/time_zone' }])
}
