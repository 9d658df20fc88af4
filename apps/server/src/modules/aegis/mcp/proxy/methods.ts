/** Which requests pass, by era. */
const common = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
] as const

export const legacyMethods: ReadonlySet<string> = new Set([
  ...common,
  ...['initialize', 'ping', 'resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'],
])

export const modernMethods: ReadonlySet<string> = new Set([...common, 'server/discover', 'subscriptions/listen'])

/** Of the methods that exist in one era only, those that an upstream of the other era is not asked. */
export const answeredHere: ReadonlySet<string> = new Set(['ping', 'logging/setLevel'])

export const legacyNotifications: ReadonlySet<string> = new Set([
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
])
