import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { includedIn } from '../../../kernel/schema/include.ts'
import { assetConditions, assetView, patchAsset } from '../classification/assets.ts'
import { scanView, startScan } from '../classification/scans.ts'
import { AssetFilter, AssetPatch, type AssetRow, ListedAsset, PatchedAsset } from '../declared/asset-schema.ts'
import { assets, scans } from '../declared/asset-tables.ts'
import { NewScan, Scan } from '../declared/scan-schema.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { errors } from '../errors/errors.ts'
import { downstreamChanged } from '../lineage/label-impact.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { labelsOf, levelBitOf } from '../taxonomy/taxonomy.ts'

const route = routesOf<DataGovServices>()

export const classificationRoutes = [
  route.post('/classification/scans', {
    permission: 'data-gov:write',
    summary: 'Scan a source for personal data and secrets',
    description:
      '`inline` columns or texts and a `file` (CSV, JSON, NDJSON, text, Markdown, PDF, office files, letters) are done in the answer; tables of a `postgres` database, an object of an `s3` bucket, a table of the platform itself (`platform`) and the prompts and answers of kept model calls (`gateway_sample`) by a job, which names in `errors` why a source could not be read. Columns are sampled so that a value of the target prevalence is found with the given confidence, and each negative result says which prevalence it leaves open. Values are not stored: findings have counts and masked examples.',
    body: NewScan,
    bodyLimit: 32 * 1_048_576,
    returns: [201, Scan],
    audit: 'data_gov.scan.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [apiErrors.validation, errors.fileRefused],
    handler: async (context) => {
      const { services, actor, body: input } = context
      return scanView(await startScan(services, { scope: scopeOf(context), actor, input }))
    },
  }),
  route.get('/classification/scans/{scan_id}', {
    permission: 'data-gov:read',
    summary: 'See a scan with its findings',
    returns: [200, Scan],
    errors: [apiErrors.notFound],
    handler: async ({ tx, params }) => scanView(await scans.need(tx, params.scan_id)),
  }),
  route.get('/classification/assets', {
    permission: 'data-gov:read',
    summary: 'List data assets with their labels',
    description:
      'An asset is a dataset, file or column, the same as the lineage node of its name. `include=inherited` adds the labels that flow to it along lineage.',
    query: AssetFilter,
    returns: [200, ListedAsset],
    list: { table: assets, default: '-created_at' },
    ownTransactions: true,
    handler: async (context) => {
      const { kernel, services, actor, page, query } = context
      const inherits = includedIn(query.include).has('inherited')
      const snapshot = inherits ? await services.lineage.current(actor.tenantId) : null
      const found = await kernel.db.tenant({ ...scopeOf(context), readOnly: true }, (tx) =>
        assets.page(tx, page, assetConditions(query)),
      )
      const items = found.items.map(
        (row) => new Versioned({ ...assetView(row), ...inheritedOf(snapshot, row) }, row.version),
      )
      return { ...found, items }
    },
  }),
  route.patch('/classification/assets/{data_asset_id}', {
    permission: 'data-gov:write',
    summary: 'Decide on the labels of an asset',
    description:
      'Confirms, rejects or sets labels, a least level, owner and purposes. A pin keeps them from later scans; `pin: false` needs `data-gov:admin`. `dry_run` stores nothing and answers how many nodes of lineage would have other labels.',
    body: AssetPatch,
    returns: [200, PatchedAsset],
    audit: 'data_gov.asset.update',
    errors: [
      apiErrors.validation,
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      authErrors.forbidden,
      errors.unknownLabel,
      errors.pinned,
    ],
    ownTransactions: true,
    handler: async (context) => {
      const { kernel, services, actor, params, body: input, precondition } = context
      // Before the change, and before its transaction: the snapshot is read by one of its own.
      const before = await services.lineage.current(actor.tenantId)
      const row = await kernel.db.tenant(scopeOf(context), (tx) =>
        patchAsset(kernel, tx, { iam: services.iam, actor, id: params.data_asset_id, input, precondition }),
      )
      const moved = downstreamChanged(before, row)
      const dryRun = input.dry_run ?? false
      return new Versioned({ ...assetView(row), dry_run: dryRun, downstream_changed: moved }, row.version)
    },
  }),
]

function inheritedOf(snapshot: Snapshot | null, { key }: AssetRow) {
  if (snapshot === null) return {}
  const at = snapshot.byKey.get(key)
  if (at === undefined) return { inherited: null }
  const labels = snapshot.labels()
  const bits = labels.bits[at] ?? 0
  const { level, categories } = labelsOf(bits)
  const from = levelBitOf(bits) < 0 ? null : labels.from(at, levelBitOf(bits))
  return {
    inherited: {
      ...{ level, categories: [...categories] },
      from_node: from === null ? null : (snapshot.nodes[from]?.id ?? null),
    },
  }
}
