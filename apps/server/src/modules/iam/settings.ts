import { type FactorKind, factorKinds } from './mfa/requirement.ts'
import type { EffectiveSettings, SettingValues } from './schemas/tenants.ts'

/** Where no tenant says anything. */
export const defaultSettings: EffectiveSettings = {
  api_key_max_days: 365,
  session_idle_minutes: 24 * 60,
  session_absolute_hours: 30 * 24,
  policy_four_eyes: false,
  policy_simulation_required: false,
  vault_second_person: false,
  mfa_policy: 'admins',
  mfa_allowed_methods: [...factorKinds],
}

type Bound = 'api_key_max_days' | 'session_idle_minutes' | 'session_absolute_hours'
type Demand = Exclude<keyof EffectiveSettings, Bound | 'mfa_policy' | 'mfa_allowed_methods'>

/** What holds for a tenant: of the settings from the root down, the strictest. */
export function effectiveSettings(path: readonly SettingValues[]): EffectiveSettings {
  const strictest = (name: Bound): number =>
    path.reduce((least, own) => Math.min(least, own[name] ?? least), defaultSettings[name])
  const demanded = (name: Demand): boolean => path.some((own) => own[name] === true)
  return {
    api_key_max_days: strictest('api_key_max_days'),
    session_idle_minutes: strictest('session_idle_minutes'),
    session_absolute_hours: strictest('session_absolute_hours'),
    policy_four_eyes: demanded('policy_four_eyes'),
    policy_simulation_required: demanded('policy_simulation_required'),
    vault_second_person: demanded('vault_second_person'),
    mfa_policy: strictestPolicy(path),
    mfa_allowed_methods: commonMethods(path),
  }
}

const policies = ['off', 'admins', 'all'] as const

/** What a tenant above demands cannot be taken back; where nobody says anything, administrators need a second factor. */
function strictestPolicy(path: readonly SettingValues[]): EffectiveSettings['mfa_policy'] {
  const said = path.flatMap(({ mfa_policy }) => (mfa_policy === undefined ? [] : [mfa_policy]))
  return policies.findLast((policy) => said.includes(policy)) ?? defaultSettings.mfa_policy
}

/** What all of them allow; where that is nothing, passkeys, which are the stronger. */
function commonMethods(path: readonly SettingValues[]): FactorKind[] {
  const common = factorKinds.filter((kind) =>
    path.every(({ mfa_allowed_methods: allowed }) => allowed === undefined || allowed.includes(kind)),
  )
  return common.length > 0 ? common : ['passkey']
}
