import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { errors } from '../declared/errors.ts'
import type { TenantSnapshots } from '../policy/snapshot.ts'
import { CacheQuery, CacheSettings, CacheView, PatchCache, PurgeCache, Purged } from '../schemas/cache.ts'
import { purgeCache } from './kept/purge.ts'
import { patchSettings, readSettings } from './kept/settings.ts'
import { trimCache } from './kept/trim.ts'
import { cacheStatistics } from './statistics.ts'

interface Services {
  readonly snapshots: TenantSnapshots
}

const route = routesOf<Services>()

export const cacheRoutes = [
  route.get('/cache', {
    permission: 'gateway:read',
    summary: 'Show what the cache may do, holds and saved',
    description:
      'Counts follow a call within seconds. Without `gateway:admin` or the role of an auditor, of the caller’s own calls.',
    query: CacheQuery,
    returns: [200, CacheView],
    handler: async ({ tx, kernel, actor, query }) => {
      const { settings, version } = await readSettings(tx)
      return new Versioned({ settings, ...(await cacheStatistics(kernel, tx, { actor, query })) }, version)
    },
  }),
  route.patch('/cache', {
    permission: 'gateway:admin',
    summary: 'Set the ceilings of the cache',
    description:
      'No policy, route or caller passes them. They count at once, also for answers that are kept already. ' +
      'The semantic cache serves callers whose policies have the mode `semantic` and allow the embedding model.',
    body: PatchCache,
    returns: [200, CacheSettings],
    audit: 'gateway.cache.update',
    errors: [apiErrors.validation, apiErrors.preconditionFailed, errors.unknownTarget],
    ownTransactions: true,
    handler: async (context) => {
      const { actor, body, kernel, services } = context
      // Read before the transaction, which may hold the only available connection.
      const snapshot = await services.snapshots.get(actor.tenantId)
      const { settings, version } = await kernel.db.tenant(scopeOf(context), (tx) =>
        patchSettings(kernel, tx, {
          input: body,
          snapshot,
          precondition: context.precondition,
        }),
      )
      if (body.max_bytes !== undefined) await trimCache(kernel, actor.tenantId, settings.max_bytes)
      return new Versioned(settings, version)
    },
  }),
  route.post('/cache/purge', {
    permission: 'gateway:admin',
    summary: 'Remove kept answers',
    description: 'From here on nobody is given them. Several members of the selector narrow each other.',
    body: PurgeCache,
    returns: [200, Purged],
    audit: 'gateway.cache.purge',
    errors: [apiErrors.validation],
    handler: ({ tx, kernel, body }) => purgeCache(kernel, tx, body),
  }),
]
