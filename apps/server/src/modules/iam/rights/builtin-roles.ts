/**
 * The nine roles every tenant has. They are data of the program, not of the database: a release that adds a module
 * changes them everywhere at once. `super_admin` differs from `tenant_admin` in one thing, which no permission can
 * express: its holder may act in other tenants. Tested in escalation.test.ts.
 */
import type { BuiltinRoleName } from '../../../kernel/access/actor.ts'
import {
  type Action,
  type ModuleName,
  moduleNames,
  type Permission,
  type PermissionSet,
  permissionSet,
} from '../../../kernel/access/permissions.ts'

type Levels = Partial<Readonly<Record<ModuleName, Action>>>

interface BuiltinRole {
  readonly description: string
  readonly permissions: readonly Permission[]
}

const everywhere = (action: Action, except: readonly ModuleName[] = []): Levels =>
  Object.fromEntries(moduleNames.filter((name) => !except.includes(name)).map((name) => [name, action]))

const role = (description: string, levels: Levels): BuiltinRole => ({
  description,
  permissions: moduleNames.flatMap((name): Permission[] => {
    const action = levels[name]
    return action === undefined ? [] : [`${name}:${action}`]
  }),
})

/** Areas that people without administrative duties may read. */
const reading = everywhere('read', ['iam', 'admin'])

export const builtinRoles: Readonly<Record<BuiltinRoleName, BuiltinRole>> = {
  super_admin: role('Operates the platform across tenants', everywhere('admin')),
  tenant_admin: role('Administers everything within the tenant', everywhere('admin')),
  security_admin: role('Runs the defenses: gateway, agents, resilience, and who may sign in', {
    ...reading,
    iam: 'write',
    admin: 'read',
    gateway: 'admin',
    aegis: 'admin',
    resilience: 'admin',
    cybertwins: 'admin',
    trust: 'write',
    risk: 'write',
    platform: 'write',
  }),
  security_analyst: role('Investigates and works on findings', {
    ...reading,
    iam: 'read',
    gateway: 'write',
    aegis: 'write',
    resilience: 'write',
    cybertwins: 'write',
    risk: 'write',
  }),
  compliance_officer: role('Owns frameworks, evidence and data duties', {
    ...reading,
    iam: 'read',
    admin: 'read',
    compliance: 'admin',
    'data-gov': 'admin',
    risk: 'write',
  }),
  risk_manager: role('Owns the risk register', { ...reading, risk: 'admin', compliance: 'write', cybertwins: 'write' }),
  ai_engineer: role('Builds with models and agents', {
    gateway: 'write',
    aegis: 'write',
    'svc-ai': 'write',
    trust: 'read',
    'data-gov': 'read',
    platform: 'read',
  }),
  auditor: role('Reads everything and changes nothing', everywhere('read')),
  viewer: role('Reads all but identities and administration', reading),
}

const sets: ReadonlyMap<string, PermissionSet> = new Map(
  Object.entries(builtinRoles).map(([name, { permissions }]) => [name, permissionSet(permissions)]),
)

/** The permissions of a role, built in or stored in its row. */
export function roleSet(role: {
  readonly builtin: BuiltinRoleName | null
  readonly permissions: readonly string[]
}): PermissionSet {
  return (role.builtin === null ? undefined : sets.get(role.builtin)) ?? permissionSet(role.permissions)
}

/** The names of a role's permissions as they are declared, without implied ones. */
export function rolePermissions(role: {
  readonly builtin: BuiltinRoleName | null
  readonly permissions: readonly string[]
}): readonly string[] {
  return role.builtin === null ? role.permissions : builtinRoles[role.builtin].permissions
}
