import type { EffectiveSettings, SettingValues } from './schemas/tenants.ts'

/** Where no tenant says anything. */
export const defaultSettings: EffectiveSettings = {
  api_key_max_days: 365,
  session_idle_minutes: 24 * 60,
  session_absolute_hours: 30 * 24,
}

/** What holds for a tenant: of the settings from the root down, the strictest. */
export function effectiveSettings(path: readonly SettingValues[]): EffectiveSettings {
  const strictest = (name: keyof EffectiveSettings): number =>
    path.reduce((least, own) => Math.min(least, own[name] ?? least), defaultSettings[name])
  return {
    api_key_max_days: strictest('api_key_max_days'),
    session_idle_minutes: strictest('session_idle_minutes'),
    session_absolute_hours: strictest('session_absolute_hours'),
  }
}
