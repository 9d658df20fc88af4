/**
 * A tenant's rules for new passwords. Existing passwords stay valid until they are changed. Tested in rules.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { EffectiveSettings, SettingsPatch } from '../schemas/tenants.ts'
import { readSettings } from '../settings/tenant-settings.ts'
import { lettersOf } from './letters.ts'

export interface PasswordRules {
  /** Code points of a password of this account. */
  readonly minLength: number
  /** Minimum length of a password that is the only factor. */
  readonly minLengthAlone: number
  /** Words the tenant forbids in passwords. */
  readonly blockedWords: readonly string[]
}

type Asked = Pick<
  EffectiveSettings,
  'password_min_length' | 'password_min_length_with_factor' | 'password_blocked_words'
>

/** @param hasFactor whether signing in to the account asks for a second factor as well */
export function passwordRules(settings: Asked, hasFactor: boolean): PasswordRules {
  const alone = Math.max(settings.password_min_length, settings.password_min_length_with_factor)
  return {
    minLength: hasFactor ? settings.password_min_length_with_factor : alone,
    minLengthAlone: alone,
    blockedWords: settings.password_blocked_words,
  }
}

/** The rules for an account of the tenant, read outside of any transaction. */
export async function readPasswordRules(
  { db }: Pick<Kernel, 'db'>,
  tenantId: TenantId,
  hasFactor: boolean,
): Promise<PasswordRules> {
  return passwordRules(await readSettings(db, tenantId), hasFactor)
}

const fewestLetters = 3

/** A word without letters would never be found. @throws API-001 */
export function assertBlockedWords({ password_blocked_words: words }: SettingsPatch): void {
  const at = words?.findIndex((word) => lettersOf(word).length < fewestLetters) ?? -1
  if (at === -1) return
  const detail = `A word to keep out of passwords has at least ${fewestLetters} letters.`
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: `/settings/password_blocked_words/${at}` }])
}
