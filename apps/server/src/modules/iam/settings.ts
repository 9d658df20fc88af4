import type { EffectiveSettings, SettingValues } from './schemas/tenants.ts'

/** Where no tenant says anything. */
export const defaultSettings: EffectiveSettings = {
  api_key_max_days: 365,
  session_idle_minutes: 24 * 60,
  session_absolute_hours: 30 * 24,
  policy_four_eyes: false,
  policy_simulation_required: false,
}

type Bound = 'api_key_max_days' | 'session_idle_minutes' | 'session_absolute_hours'
type Demand = Exclude<keyof EffectiveSettings, Bound>

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
  }
}
