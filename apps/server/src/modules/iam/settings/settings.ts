import { commonRegions } from '../../../kernel/base/regions.ts'
import { commonNetworks } from '../../../kernel/net/networks.ts'
import { type FactorKind, factorKinds } from '../schemas/factor-kinds.ts'
import type { EffectiveSettings, SettingValues } from '../schemas/tenants.ts'

/** Values where no tenant sets one. */
export const defaultSettings: EffectiveSettings = {
  api_key_max_days: 365,
  api_key_without_expiry: false,
  session_idle_minutes: 24 * 60,
  session_absolute_hours: 30 * 24,
  session_max_per_user: 20,
  review_every_days: null,
  dormant_warn_days: null,
  dormant_suspend_days: null,
  policy_four_eyes: false,
  policy_simulation_required: false,
  vault_second_person: false,
  login_allowed_cidrs: null,
  mfa_policy: 'admins',
  mfa_allowed_methods: [...factorKinds],
  // NIST SP 800-63B-4, 3.1.1.2.
  password_min_length: 15,
  password_min_length_with_factor: 8,
  password_blocked_words: [],
  data_residency: null,
  time_zone: 'UTC',
}

type Bound = 'api_key_max_days' | 'session_idle_minutes' | 'session_absolute_hours' | 'session_max_per_user'
type Least = 'password_min_length' | 'password_min_length_with_factor'
type Demand = Exclude<
  keyof EffectiveSettings,
  | Bound
  | Least
  | 'api_key_without_expiry'
  | 'mfa_policy'
  | 'mfa_allowed_methods'
  | 'login_allowed_cidrs'
  | 'password_blocked_words'
  | 'data_residency'
  | 'time_zone'
  | Asked
>
type Dormancy = 'dormant_warn_days' | 'dormant_suspend_days'
type Asked = Dormancy | 'review_every_days'

/** Effective settings of a tenant: for each setting the strictest value from the root down. */
export function effectiveSettings(path: readonly SettingValues[]): EffectiveSettings {
  const strictest = (name: Bound): number =>
    path.reduce((least, own) => Math.min(least, own[name] ?? least), defaultSettings[name])
  const longest = (name: Least): number =>
    path.reduce((most, own) => Math.max(most, own[name] ?? most), defaultSettings[name])
  const demanded = (name: Demand): boolean => path.some((own) => own[name] === true)
  return {
    api_key_max_days: strictest('api_key_max_days'),
    api_key_without_expiry: mayBeEndless(path),
    session_idle_minutes: strictest('session_idle_minutes'),
    session_absolute_hours: strictest('session_absolute_hours'),
    session_max_per_user: strictest('session_max_per_user'),
    review_every_days: shortest(path, 'review_every_days'),
    ...dormancy(path),
    policy_four_eyes: demanded('policy_four_eyes'),
    policy_simulation_required: demanded('policy_simulation_required'),
    vault_second_person: demanded('vault_second_person'),
    login_allowed_cidrs: networksOfAll(path),
    mfa_policy: strictestPolicy(path),
    mfa_allowed_methods: commonMethods(path),
    password_min_length: longest('password_min_length'),
    password_min_length_with_factor: longest('password_min_length_with_factor'),
    password_blocked_words: [...new Set(path.flatMap(({ password_blocked_words: words }) => words ?? []))],
    data_residency: regionsOfAll(path),
    // The only setting that has no stricter value: the nearest one applies.
    time_zone: path.findLast((own) => own.time_zone !== undefined)?.time_zone ?? defaultSettings.time_zone,
  }
}

/** A tenant on the path must allow it; a limit of days or a refusal by any of them takes precedence. */
function mayBeEndless(path: readonly SettingValues[]): boolean {
  const refused = path.some((own) => own.api_key_max_days !== undefined || own.api_key_without_expiry === false)
  return !refused && path.some((own) => own.api_key_without_expiry === true)
}

/** The smallest value any tenant on the path sets. */
function shortest(path: readonly SettingValues[], name: Asked): number | null {
  const asked = path.flatMap(({ [name]: days }) => (days === undefined ? [] : [days]))
  return asked.length === 0 ? null : Math.min(...asked)
}

/** The shortest periods set on the path; the warning always comes at least a day before the suspension. */
function dormancy(path: readonly SettingValues[]): Pick<EffectiveSettings, Dormancy> {
  const [warn, suspend] = [shortest(path, 'dormant_warn_days'), shortest(path, 'dormant_suspend_days')]
  if (suspend === null) return { dormant_warn_days: warn, dormant_suspend_days: null }
  const before = warn === null ? Math.floor((suspend * 2) / 3) : Math.min(warn, suspend - 1)
  return { dormant_warn_days: before, dormant_suspend_days: suspend }
}

/** Networks allowed by every tenant that names some: empty where they do not overlap. */
function networksOfAll(path: readonly SettingValues[]): string[] | null {
  const named = path.flatMap(({ login_allowed_cidrs: networks }) => (networks === undefined ? [] : [networks]))
  const [first, ...others] = named
  return first === undefined ? null : [...others.reduce<readonly string[]>(commonNetworks, first)]
}

/** Regions allowed by every tenant that names some: empty where they do not overlap. */
function regionsOfAll(path: readonly SettingValues[]): string[] | null {
  const named = path.flatMap(({ data_residency: regions }) => (regions === undefined ? [] : [regions]))
  const [first, ...others] = named
  return first === undefined ? null : [...others.reduce<readonly string[]>(commonRegions, first)]
}

const policies = ['off', 'admins', 'all'] as const

/** The strictest policy along the path wins; where none is set, administrators need a second factor. */
function strictestPolicy(path: readonly SettingValues[]): EffectiveSettings['mfa_policy'] {
  const said = path.flatMap(({ mfa_policy }) => (mfa_policy === undefined ? [] : [mfa_policy]))
  return policies.findLast((policy) => said.includes(policy)) ?? defaultSettings.mfa_policy
}

/** Methods that every tenant on the path allows; where none is left, passkeys, which are the stronger. */
function commonMethods(path: readonly SettingValues[]): FactorKind[] {
  const common = factorKinds.filter((kind) =>
    path.every(({ mfa_allowed_methods: allowed }) => allowed === undefined || allowed.includes(kind)),
  )
  return common.length > 0 ? common : ['passkey']
}
