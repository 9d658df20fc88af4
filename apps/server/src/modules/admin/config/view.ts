import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { SettingDefinition } from '../../../kernel/settings/define.ts'
import type { HeldSetting, SettingStore } from '../services/setting-store.ts'
import type { ChangeScope, ConfigEntry, ConfigNode, ConfigQuery } from './schemas.ts'

export interface Viewing {
  readonly kernel: Pick<Kernel, 'settings' | 'db' | 'node'>
  readonly store: SettingStore
}

/** Effective values in this scope and their sources, in the order of the keys. */
export function effectiveEntries(
  viewing: Viewing,
  tenantId: TenantId,
  { scope = 'tenant', prefix = '', key, only_overridden = false }: ConfigQuery,
): readonly ConfigEntry[] {
  return [...viewing.kernel.settings.definitions.values()]
    .filter((definition) => isShown(definition, scope))
    .filter((definition) => definition.key.startsWith(prefix) && (key === undefined || definition.key === key))
    .map((definition) => entryOf(viewing, definition, { scope, tenantId }))
    .filter((entry) => !only_overridden || !entry.is_default)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** A tenant sees what it may set; the platform's own settings are the operator's. */
function isShown(definition: SettingDefinition, scope: ChangeScope): boolean {
  return definition.scope === 'both' || definition.scope === scope
}

interface Where {
  readonly scope: ChangeScope
  readonly tenantId: TenantId
}

function entryOf({ kernel, store }: Viewing, definition: SettingDefinition, where: Where): ConfigEntry {
  const { settings } = kernel
  const { secret, key } = definition
  const fixedBy = settings.fixedBy(definition)
  const { source, held } = sourceOf(store, definition, { ...where, fixedBy, isInFile: settings.isInFile(definition) })
  return {
    key,
    value: secret ? null : settings.get(definition, where.scope === 'tenant' ? where.tenantId : null),
    redacted: secret,
    is_default: source === 'default',
    default: definition.default,
    value_schema: definition.schema as Record<string, unknown>,
    scope: definition.scope,
    source,
    fixed_by: fixedBy,
    secret,
    digest: secret ? (held?.digest ?? null) : null,
    restart_required: definition.restartRequired,
    dangerous: definition.dangerous,
    description: definition.description,
    version: held?.revision ?? 0,
    updated_by: held?.updatedBy ?? null,
    updated_at: held?.updatedAt ?? null,
  }
}

function sourceOf(
  store: SettingStore,
  { key, scope: of }: SettingDefinition,
  { scope, tenantId, fixedBy, isInFile }: Where & { readonly fixedBy: string | null; readonly isInFile: boolean },
): { readonly source: ConfigEntry['source']; readonly held: HeldSetting | undefined } {
  if (fixedBy !== null) return { source: 'env', held: undefined }
  const ofTenant = scope === 'tenant' && of !== 'platform' ? store.held(tenantId, key) : undefined
  if (ofTenant?.isSet === true) return { source: 'tenant', held: ofTenant }
  const ofPlatform = store.held(platformTenant, key)
  if (ofPlatform?.isSet === true) return { source: 'platform', held: ofPlatform }
  return { source: isInFile ? 'file' : 'default', held: ofTenant ?? ofPlatform }
}

/** The revision that `If-Match` looks at. */
export function viewVersion(store: SettingStore, scope: ChangeScope, tenantId: TenantId): number {
  const ofPlatform = store.revisionOf(platformTenant)
  return scope === 'platform' ? ofPlatform : Math.max(ofPlatform, store.revisionOf(tenantId))
}

/** Instances that were there in the last minute, and the revision each runs with. */
export async function nodesOf({ kernel, store }: Viewing): Promise<readonly ConfigNode[]> {
  const own = { node: kernel.node, version: store.revision() }
  if (kernel.db.kind === 'pglite') return [own]
  const others = await kernel.db.read(
    platformTenant,
    sql<ConfigNode>`
      select name as node, revision as version from admin_config_node
      where seen_at > clock_timestamp() - interval '1 minute' and name <> ${kernel.node}
      order by name`,
  )
  return [own, ...others]
}
