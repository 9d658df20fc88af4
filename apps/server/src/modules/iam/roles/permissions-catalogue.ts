import {
  type Action,
  actions,
  listPermissions,
  type ModuleName,
  moduleNames,
  type Permission,
  permissionSet,
} from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { explainer } from '../explain/explain.ts'
import type { PermissionEntry, PermissionFilter } from '../schemas/roles.ts'
import type { IamServices } from '../services/iam-services.ts'
import { apiKeys } from '../tables/api-keys.ts'
import { users } from '../tables/users.ts'

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

/** @throws API-001 when only half a subject is named, API-013 */
async function explanation(
  services: IamServices,
  tx: Tx,
  filter: PermissionFilter,
): Promise<(permission: Permission) => Partial<PermissionEntry>> {
  const { subject_type: kind, subject_id: id } = filter
  if (kind === undefined && id === undefined) return () => ({})
  if (kind === undefined || id === undefined) {
    throw apiErrors.validation({ what: 'Name a subject by both subject_type and subject_id.' })
  }
  const explain = await explainer(tx, { kind, id }, services.kernel.clock.now())
  if (explain === null) throw apiErrors.notFound({ what: kind === 'api_key' ? apiKeys.noun : users.noun })
  return explain
}
