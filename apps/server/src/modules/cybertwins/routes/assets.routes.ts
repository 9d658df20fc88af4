import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { listAssets } from '../assets/list.ts'
import { changeAsset, writeAssets } from '../assets/write.ts'
import { Asset, AssetFilter, ListedAsset, NewAssets, PatchAsset, WrittenAssets } from '../declared/asset-schema.ts'
import { Import, NewImport } from '../declared/relation-schema.ts'
import { assets } from '../declared/tables.ts'
import { errors } from '../errors/errors.ts'
import { askForAnalysis, importTwin } from '../imports/import.ts'
import type { TwinServices } from '../services/twin-services.ts'

const route = routesOf<TwinServices>()

export const assetRoutes = [
  route.get('/assets', {
    permission: 'cybertwins:read',
    summary: 'Search the assets of the twin',
    description:
      '`id` gives one asset, `near` with `hops` those around one in both directions, `agent_id` the twin of an agent of AEGIS. `relationships` are the outgoing ones, in the direction of attack.',
    query: AssetFilter,
    returns: [200, ListedAsset],
    list: { table: assets, default: '-created_at' },
    handler: ({ tx, page, query }) => listAssets(tx, { page, filter: query }),
  }),
  route.post('/assets', {
    permission: 'cybertwins:write',
    summary: 'Create or update assets with their relations',
    description:
      'All or none. An asset with a known external id is updated, any other one created. A relation leads to an id, or to `<source>:<external id>`, also of an asset of the same call; relations that are not named stay. A changed twin is analyzed again within moments.',
    body: NewAssets,
    bodyLimit: 16 * 1_048_576,
    returns: [201, WrittenAssets],
    audit: 'cybertwins.asset.create',
    rateClass: 'expensive',
    errors: [errors.kindConflict, errors.assetInvalid],
    handler: async ({ tx, services, body }) => {
      const written = await writeAssets(services, tx, body.assets)
      if (written.created + written.updated + written.relations > 0) await askForAnalysis(tx, null)
      return written
    },
  }),
  route.patch('/assets/{asset_id}', {
    permission: 'cybertwins:write',
    summary: 'Change, retire or reactivate an asset',
    description:
      'From then on importers no longer change its name and the members that people write. Its measured controls and the vulnerabilities of importers stay.',
    body: PatchAsset,
    bodyLimit: 4 * 1_048_576,
    returns: [200, Asset],
    audit: 'cybertwins.asset.update',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, errors.assetInvalid, errors.illegalMove],
    handler: async ({ tx, services, params, precondition, body }) => {
      const changed = await changeAsset(services, tx, { id: params.asset_id, precondition, input: body })
      await askForAnalysis(tx, null)
      return changed
    },
  }),
  route.post('/imports', {
    permission: 'cybertwins:write',
    summary: 'Import a file, or read the platform',
    description:
      '`stix`: a bundle of STIX 2.1 or 2.0. `cyclonedx`: JSON of 1.4 to 1.7, with VEX. `openvex`: statements about products that the twin has. `csv`: the columns `kind, name, external_id, exposure, criticality, environment, crown_jewel, entry_point, cve, relation, target`, under other names by `mapping`. `platform`: agents with tools, data, models and the measured efficacy of their guardrails, administrators, service accounts and providers, as far as the caller may read them; it is repeated daily from then on. `skipped` names each part that was left out. With `dry_run` nothing is stored.',
    body: NewImport,
    bodyLimit: 66 * 1_048_576,
    returns: [201, Import],
    audit: 'cybertwins.import.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [apiErrors.validation, errors.contentInvalid],
    handler: (context) => {
      const { services, actor, body } = context
      return importTwin(services, { scope: scopeOf(context), userId: actor.userId, caller: actor, body })
    },
  }),
]
