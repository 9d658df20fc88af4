import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { ConfigPatch } from '../declared/config-patch.ts'
import { errors } from '../declared/errors.ts'
import type { TrustParts } from '../declared/parts.ts'
import { changeConfig, readConfig } from './decay-config.ts'
import { ChangedConfig, ChangeQuery, ConfigQuery, ConfigView } from './schemas.ts'

const route = routesOf<TrustParts>()

export const decayConfigRoutes = [
  route.get('/decay-config', {
    permission: 'trust:read',
    summary: 'Read the decay configuration',
    description: 'The version in force, or with `version` an earlier one: every version is kept.',
    query: ConfigQuery,
    returns: [200, ConfigView],
    errors: [apiErrors.notFound],
    handler: async ({ tx, query }) => {
      const config = await readConfig(tx, query.version ?? null)
      return new Versioned(config, config.version)
    },
  }),
  route.patch('/decay-config', {
    permission: 'trust:admin',
    summary: 'Change the decay configuration',
    description:
      'A merge patch (RFC 7396): what it does not name stays, and null puts a default back; a cap that is null is switched off. Makes a new version, with which the score is recalculated at once. With `dry_run=true` nothing is changed and the answer shows what would be.',
    query: ChangeQuery,
    body: ConfigPatch,
    returns: [200, ChangedConfig],
    audit: 'trust.config.update',
    errors: [apiErrors.notFound, apiErrors.validation, apiErrors.preconditionFailed, errors.weights, errors.decay],
    handler: async ({ tx, services, body, query, precondition }) => {
      const dryRun = query.dry_run ?? false
      const { changed, version } = await changeConfig(services, tx, { patch: body, precondition, dryRun })
      return new Versioned(changed, version)
    },
  }),
]
