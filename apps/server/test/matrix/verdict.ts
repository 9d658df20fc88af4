/**
 * Says from a route's declaration alone whether a caller comes past its permission. It shares nothing with the product's
 * permission sets and knows nothing of later refusals by handlers. Tested by roles.test.ts, where both must agree.
 */
export type Verdict = 'passes' | 'AUTH-001' | 'AUTH-004'

const levels = ['read', 'write', 'admin']

/**
 * @param held null for a caller without a credential
 * @param isService whether the credential is of a service account
 */
export function verdict(needed: string, held: readonly string[] | null, isService = false): Verdict {
  if (needed === 'public') return 'passes'
  if (held === null) return 'AUTH-001'
  if (needed === 'authenticated') return 'passes'
  if (needed === 'agent') return isService ? 'passes' : 'AUTH-004'
  const [module = '', level = ''] = needed.split(':')
  const enough = levels.slice(levels.indexOf(level)).map((at) => `${module}:${at}`)
  return held.some((permission) => enough.includes(permission)) ? 'passes' : 'AUTH-004'
}

/** Permissions that both grant: of each module the lower level. */
export function both(a: readonly string[], b: readonly string[]): readonly string[] {
  const every = [...new Set([...a, ...b].map((permission) => permission.split(':')[0] ?? ''))]
  const may = (held: readonly string[], permission: string) => verdict(permission, held) === 'passes'
  return every.flatMap((module) =>
    levels.map((level) => `${module}:${level}`).filter((permission) => may(a, permission) && may(b, permission)),
  )
}
