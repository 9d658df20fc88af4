/**
 * Permissions: three levels on each of the twelve modules, where a level includes those below it.
 * The whole set of one caller is one integer (two bits a module), so a check is a shift and a compare.
 * A route declares the permission it needs; the identity module knows who holds it. Tested in permissions.test.ts.
 */

export const moduleNames = [
  'iam',
  'gateway',
  'trust',
  'aegis',
  'compliance',
  'risk',
  'resilience',
  'svc-ai',
  'platform',
  'admin',
  'cybertwins',
  'data-gov',
] as const
export type ModuleName = (typeof moduleNames)[number]

export const actions = ['read', 'write', 'admin'] as const
export type Action = (typeof actions)[number]
export type Permission = `${ModuleName}:${Action}`

/** Two bits a module: 0 none, 1 read, 2 write, 3 admin. */
export type PermissionSet = number & { readonly permissionSet: unique symbol }

const bitOf = new Map<string, { readonly shift: number; readonly level: number }>(
  moduleNames.flatMap((module, index) =>
    actions.map((action, level) => [`${module}:${action}`, { shift: index * 2, level: level + 1 }] as const),
  ),
)

export const allPermissions: readonly Permission[] = moduleNames.flatMap((module) =>
  actions.map((action): Permission => `${module}:${action}`),
)

export function isPermission(text: string): text is Permission {
  return bitOf.has(text)
}

/** Packs names into a set; a name outside the catalogue is left out. */
export function permissionSet(permissions: Iterable<string>): PermissionSet {
  let set = 0
  for (const permission of permissions) {
    const bit = bitOf.get(permission)
    if (bit === undefined) continue
    const held = (set >>> bit.shift) & 3
    if (bit.level > held) set += (bit.level - held) << bit.shift
  }
  return set as PermissionSet
}

export const noPermissions = permissionSet([])
export const everyPermission = permissionSet(allPermissions)

export function holds(set: PermissionSet, permission: Permission): boolean {
  const bit = bitOf.get(permission)
  return bit !== undefined && ((set >>> bit.shift) & 3) >= bit.level
}

/** The intersection of both sets: the lower level, module by module. */
export function intersection(a: PermissionSet, b: PermissionSet): PermissionSet {
  return combine(a, b, Math.min)
}

export function union(a: PermissionSet, b: PermissionSet): PermissionSet {
  return combine(a, b, Math.max)
}

function combine(a: PermissionSet, b: PermissionSet, pick: (x: number, y: number) => number): PermissionSet {
  let set = 0
  for (let shift = 0; shift < moduleNames.length * 2; shift += 2) {
    set |= pick((a >>> shift) & 3, (b >>> shift) & 3) << shift
  }
  return set as PermissionSet
}

/** The permissions in `wanted` that `held` lacks; a refusal names them. */
export function missingFrom(held: PermissionSet, wanted: PermissionSet): Permission[] {
  return listPermissions(wanted).filter((permission) => !holds(held, permission))
}

/** Every permission in the set, implied ones included, in catalogue order. */
export function listPermissions(set: PermissionSet): Permission[] {
  return allPermissions.filter((permission) => holds(set, permission))
}
