/** Categories, severities and channels of notifications. */

export const severities = ['info', 'low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

export const categories = [
  'kill_switch',
  'account_security',
  'approval',
  'alert',
  'compliance',
  'trust',
  'risk',
  'workflow',
  'integration',
  'report',
  'general',
] as const
export type Category = (typeof categories)[number]

/** Categories that nobody can mute in the inbox. */
export const lockedCategories: ReadonlySet<Category> = new Set(['kill_switch', 'account_security'])

export const channels = ['inbox', 'email'] as const
export type Channel = (typeof channels)[number]

/** Categories that come by mail too, where the person says nothing and the tenant sets nothing. */
export const mailedByDefault: readonly Category[] = ['kill_switch', 'account_security', 'approval', 'alert']

const ranks: Readonly<Record<Severity, number>> = { info: 0, low: 1, medium: 2, high: 3, critical: 4 }

/** True where `one` is `least` or graver. */
export const isAtLeast = (one: Severity, least: Severity): boolean => ranks[one] >= ranks[least]

/** A word of another module as a severity; `info` where it is none. */
export function severityOf(word: unknown): Severity {
  return severities.find((one) => one === word) ?? 'info'
}
