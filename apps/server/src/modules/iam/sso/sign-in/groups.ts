import type { GroupMapping } from '../../schemas/sso.ts'

/**
 * A person's roles after a sign-in. `add` only ever gives; a role that an `authoritative` mapping names is held if,
 * and only if, one of the person's groups gives it. Roles that no mapping names stay. Tested in pure.test.ts.
 */
export function mappedRoles(
  current: readonly string[],
  groups: readonly string[],
  mappings: readonly GroupMapping[],
): readonly string[] {
  const held = new Set(groups)
  const given = new Set(mappings.filter(({ group }) => held.has(group)).flatMap(({ role_ids }) => role_ids))
  const ruled = new Set(mappings.filter(({ mode }) => mode === 'authoritative').flatMap(({ role_ids }) => role_ids))
  const kept = current.filter((role) => given.has(role) || !ruled.has(role))
  return [...kept, ...[...given].filter((role) => !kept.includes(role))]
}
