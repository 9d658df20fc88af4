import Type from 'typebox'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { tenantOfScope } from '../services/scope.ts'
import { applyChange } from './changes.ts'
import { callOrigin } from './origin.ts'
import { ensurePlatformKey } from './platform-key.ts'
import {
  AppliedChange,
  ChangeFilter,
  ChangeSet,
  ConfigEntry,
  type ConfigNode,
  ConfigQuery,
  PatchConfig,
} from './schemas.ts'
import { type ConfigChangeRow, configChanges } from './tables.ts'
import { effectiveEntries, nodesOf, viewVersion } from './view.ts'

const route = routesOf<AdminServices>()

export const configRoutes = [
  route.get('/config', {
    permission: 'admin:read',
    summary: 'Show the settings that count and where each comes from',
    description:
      'Default, then the platform’s value, then the tenant’s; a value that the environment fixes wins. Of the scope ' +
      '`platform` for operators only. Values of secrets are not shown.',
    query: ConfigQuery,
    returns: [200, Type.Array(ConfigEntry)],
    handler: async ({ actor, query, services }) => {
      const tenantId = tenantOfScope({ actor }, query.scope)
      const version = viewVersion(services.settings, query.scope ?? 'tenant', tenantId)
      const viewing = { kernel: services.kernel, store: services.settings }
      return new Versioned([...effectiveEntries(viewing, tenantId, query)], version, {
        meta: { config_version: version, nodes: await nodesOf(viewing) },
      })
    },
  }),
  route.patch('/config', {
    permission: 'admin:admin',
    rateClass: 'stop',
    summary: 'Change settings together, or go back to before a change',
    description:
      '`rollback_to` names a change-set: the state before it is put back, which undoes it and all later ones of its scope. ' +
      'With `dry_run` nothing is changed and the answer shows what would be. `If-Match` takes the entity tag of the list. ' +
      'A tenant’s administrators cannot raise a rate limit above the platform’s.',
    body: PatchConfig,
    returns: [200, AppliedChange],
    audit: 'admin.config.update',
    errors: [
      errors.settingRefused,
      errors.unknownSetting,
      errors.fixedByEnvironment,
      apiErrors.preconditionFailed,
      apiErrors.notFound,
      authErrors.stepUp,
    ],
    ownTransactions: true,
    handler: async (context) => {
      const { actor, body, services, kernel } = context
      const { values, rollback_to: rollbackTo, scope = 'tenant', comment, dry_run: dryRun = false } = body
      const tenantId = tenantOfScope(context, scope)
      if ((values === undefined) === (rollbackTo === undefined)) throw oneOfBoth()
      if (scope === 'platform') await ensurePlatformKey(kernel)
      const change = await kernel.db.tenant(scopeOf(context, tenantId), (tx) =>
        applyChange(kernel, tx, {
          ...{ scope, comment, dryRun, actor, origin: callOrigin(context.request, actor) },
          values: values ?? {},
          rollbackTo: rollbackTo ?? null,
          precondition: context.precondition,
        }),
      )
      if (!dryRun) await services.settings.refresh()
      const viewing = { kernel, store: services.settings }
      const applied: AppliedChange = {
        ...changeSetOf(change, await nodesOf(viewing)),
        id: dryRun ? null : change.id,
        dry_run: dryRun,
        restart_required: change.keys.filter((key) => kernel.settings.definitions.get(key)?.restartRequired === true),
      }
      return new Versioned(applied, viewVersion(services.settings, scope, tenantId))
    },
  }),
  route.get('/config/changes', {
    permission: 'admin:read',
    summary: 'List change-sets, the newest first',
    query: ChangeFilter,
    list: { table: configChanges, default: '-created_at' },
    returns: [200, ChangeSet],
    handler: async (context) => {
      const { query, page, kernel, services } = context
      const found = await listChanges(kernel, tenantOfScope(context, query.scope), { page, filter: query })
      const nodes = await nodesOf({ kernel, store: services.settings })
      return { ...found, items: found.items.map((row) => changeSetOf(row, nodes)) }
    },
  }),
]

function oneOfBoth() {
  const detail = 'Send either values or rollback_to.'
  return apiErrors.validation({ what: detail }).at([{ detail, pointer: '/values' }])
}

function changeSetOf(row: ConfigChangeRow, nodes: readonly ConfigNode[]): ChangeSet {
  const { id, scope, revision: version, comment, author, origin, entries, rolled_back_by, created_at } = row
  const tenant_id = row.tenant_id === platformTenant ? null : row.tenant_id
  const about = { id, scope, tenant_id, version, comment, author, origin, entries, rolled_back_by, created_at }
  return { ...about, nodes: [...nodes] }
}

interface Listing {
  readonly page: PageRequest
  readonly filter: ChangeFilter
}

function listChanges(
  { db }: Pick<Kernel, 'db'>,
  tenantId: TenantId,
  { page, filter }: Listing,
): Promise<Page<ConfigChangeRow>> {
  const { key = null, author = null, since = null, origin = null } = filter
  const where = sql`
    (${key}::text is null or ${key}::text = any(keys))
    and (${author}::uuid is null or author = ${author}::uuid)
    and (${since}::timestamptz is null or created_at >= ${since}::timestamptz)
    and (${origin}::text is null or origin = ${origin}::text)`
  return db.tenant({ tenantId, readOnly: true }, (tx) => configChanges.page(tx, page, where))
}
