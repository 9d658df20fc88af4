import {
  type Action,
  actions,
  holds,
  listPermissions,
  type ModuleName,
  moduleNames,
  type Permission,
  permissionSet,
} from '../../kernel/auth/permissions.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import { apiErrors } from '../../kernel/http/errors.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { rolePermissions } from './builtin-roles.ts'
import type { PermissionEntry, PermissionFilter } from './schemas/roles.ts'
import type { IamServices } from './services.ts'
import { findSubject, type GrantedRole, type Subject } from './subjects.ts'
import { apiKeys, users } from './tables.ts'

const subjectsOf: Readonly<Record<ModuleName, string>> = {
  iam: 'users, roles, sessions, API keys and tenants',
  gateway: 'the AI gateway: calls, providers and policies',
  trust: 'the trust score',
  aegis: 'agents and their guardrails',
  compliance: 'frameworks, controls and evidence',
  risk: 'the risk register and its analyses',
  resilience: 'continuity plans and exercises',
  'svc-ai': 'AI services and knowledge',
  platform: 'workflows, notifications and integrations',
  admin: 'settings, audit log, keys and backups',
  cybertwins: 'twins and attack simulations',
  'data-gov': 'data assets, labels and lineage',
}

const verbs: Readonly<Record<Action, string>> = { read: 'See', write: 'Use and change', admin: 'Administer' }

/** The catalogue, and with a subject which of it that subject has, through what, or why not. */
export async function listPermissionEntries(
  services: IamServices,
  tx: Tx,
  filter: PermissionFilter,
): Promise<PermissionEntry[]> {
  const explain = await explanation(services, tx, filter)
  return everyEntry(services.kernel)
    .filter(({ permission }) => filter.module === undefined || permission.startsWith(`${filter.module}:`))
    .filter(({ permission }) => filter.permission === undefined || permission === filter.permission)
    .map((entry) => ({ ...entry, ...explain(entry.permission) }))
}

type Entry = PermissionEntry & { readonly permission: Permission }

function everyEntry(kernel: Kernel): readonly Entry[] {
  return moduleNames.flatMap((module) => actions.map((action) => entryOf(kernel, module, action)))
}

function entryOf(kernel: Kernel, module: ModuleName, action: Action): Entry {
  const permission: Permission = `${module}:${action}`
  return {
    permission,
    text: `${verbs[action]} ${subjectsOf[module]}`,
    implies: listPermissions(permissionSet([permission])).filter((other) => other !== permission),
    routes: kernel.routes
      .filter(({ route }) => route.permission === permission)
      .map(({ path, route }) => ({ method: route.method, path })),
  }
}

type Explanation = Pick<PermissionEntry, 'granted' | 'reason' | 'via'>

/** @throws API-001 when only half a subject is named, API-013 */
async function explanation(
  services: IamServices,
  tx: Tx,
  filter: PermissionFilter,
): Promise<(permission: Permission) => Explanation> {
  const { subject_type: kind, subject_id: id } = filter
  if (kind === undefined && id === undefined) return () => ({})
  if (kind === undefined || id === undefined) {
    throw apiErrors.validation({ what: 'Name a subject by both subject_type and subject_id.' })
  }
  const key = kind === 'api_key' ? await apiKeys.need(tx, id) : null
  const subject = await findSubject(tx, key?.owner_id ?? id, services.kernel.clock.now())
  if (subject === null) throw apiErrors.notFound({ what: users.noun })
  const keyLives = key === null || (key.revoked_at === null && key.expires_at > services.kernel.clock.iso())
  const keyScopes = key === null ? null : permissionSet(key.scopes)
  const grants = await grantsOf(tx, subject.id)
  return (permission) => {
    const via = subject.roles.flatMap((role) => viaRole(role, { permission, grants }))
    const inScopes = keyScopes === null || holds(keyScopes, permission)
    const reason = reasonFor({ subject, keyLives, inScopes, granted: via.length > 0 })
    return { granted: reason === 'granted', reason, via }
  }
}

function reasonFor(facts: {
  readonly subject: Subject
  readonly keyLives: boolean
  readonly inScopes: boolean
  readonly granted: boolean
}): NonNullable<Explanation['reason']> {
  if (!facts.subject.active) return 'subject_not_active'
  if (!facts.keyLives) return 'key_not_active'
  if (facts.subject.must_change_password) return 'password_change_needed'
  if (!facts.granted) return 'no_role_grants_it'
  return facts.inScopes ? 'granted' : 'not_in_key_scopes'
}

interface Grant {
  readonly role_id: string
  readonly granted_at: string
  readonly granted_by: string | null
}

async function grantsOf(tx: Tx, userId: string): Promise<ReadonlyMap<string, Grant>> {
  const rows = await tx.query(
    sql<Grant>`select role_id, granted_at, granted_by from iam_user_role where user_id = ${userId}`,
  )
  return new Map(rows.map((row) => [row.role_id, row]))
}

function viaRole(
  role: GrantedRole,
  ask: { readonly permission: Permission; readonly grants: ReadonlyMap<string, Grant> },
): NonNullable<Explanation['via']> {
  const source = rolePermissions(role).find((own) => holds(permissionSet([own]), ask.permission))
  const grant = ask.grants.get(role.id)
  if (source === undefined || grant === undefined) return []
  return [
    {
      role_id: role.id,
      role: role.name,
      permission: source,
      granted_at: grant.granted_at,
      granted_by: grant.granted_by,
    },
  ]
}
