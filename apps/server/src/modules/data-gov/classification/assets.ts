/** The inventory of data: assets with labels from scans and decisions of people. Tested in scans.test.ts. */

import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, json, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { add, change, hold, newRow, resource } from '../../../kernel/resource/resource.ts'
import type { AssetFilter, AssetPatch, AssetRow } from '../declared/asset-schema.ts'
import { assets } from '../declared/asset-tables.ts'
import type { ScanRow } from '../declared/scan-schema.ts'
import { effective, withDecisions, withEvidence } from '../engine/labels.ts'
import { errors } from '../errors/errors.ts'
import { lineageTopic } from '../lineage/memory.ts'
import { keyOf } from '../lineage/nodes.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { categoryOf } from '../taxonomy/taxonomy.ts'
import { labelChanged } from './events.ts'
import type { Examined } from './examine.ts'

const assetResource = resource({ table: assets, kind: 'data_gov_asset' })

export interface Labeling {
  readonly scan: ScanRow
  readonly result: Examined
}

/** Datasets with something to say, and their columns. Gives counts for the event. */
export async function labelAssets(kernel: Kernel, tx: Tx, { scan, result }: Labeling) {
  await tx.lock('data_gov.assets', tx.tenantId)
  const counts = { assets: 0, proposed: 0, restricted: 0 }
  for (const { namespace, name, columns } of result.datasets) {
    const fields = [null, ...columns.flatMap((column) => (column.name === null ? [] : [column.name]))]
    for (const field of fields) {
      const evidence = evidenceOf(result, { dataset: `${namespace}|${name}`, field })
      const row = await label(kernel, tx, { scan, place: { namespace, name, field }, evidence })
      counts.assets += 1
      counts.proposed += row.labels.filter(({ state }) => state === 'proposed').length
      counts.restricted += row.level === 'restricted' ? 1 : 0
    }
  }
  await tx.announce(lineageTopic, '*')
  return counts
}

interface Named {
  readonly dataset: string
  readonly field: string | null
}

/** A dataset holds whatever its columns hold, each with the highest confidence. */
function evidenceOf({ findings }: Examined, { dataset, field }: Named): One['evidence'] {
  const found = new Map<string, number>()
  for (const one of findings)
    if (one.dataset === dataset && (field === null || one.field === field) && one.verdict !== 'none_seen')
      found.set(one.category, Math.max(found.get(one.category) ?? 0, one.confidence))
  return [...found].map(([category, confidence]) => ({ category, confidence }))
}

interface One {
  readonly scan: ScanRow
  readonly place: { readonly namespace: string; readonly name: string; readonly field: string | null }
  readonly evidence: readonly { readonly category: string; readonly confidence: number }[]
}

async function label(kernel: Kernel, tx: Tx, { scan, place, evidence }: One): Promise<AssetRow> {
  const key = keyOf(place.field === null ? 'dataset' : 'column', place)
  const known = await tx.first(sql<AssetRow>`
    select ${assets.columns} from data_gov_asset where key = ${key} for update`)
  const before: AssetRow = known ?? {
    ...newRow(kernel, tx),
    ...{ key, kind: place.field === null ? kindOf(scan) : 'column', ...place, owner_user_id: null, level: null },
    ...{
      level_set: null,
      categories: [],
      labels: [],
      pinned: false,
      purposes: [],
      last_scan_id: null,
      last_seen_at: null,
    },
  }
  const labels = before.pinned ? before.labels : [...withEvidence(before.labels, evidence, scan.auto_confirm)]
  const seen = {
    labels,
    ...effective(labels, before.level_set),
    last_scan_id: scan.id,
    last_seen_at: kernel.clock.iso(),
  }
  const after = { ...before, ...seen }
  if (known === null) await add(tx, assetResource, after)
  else await assets.patchVersion(tx, known.id, { ...seen, updated_at: kernel.clock.iso() })
  if (after.level !== before.level || after.categories.join() !== before.categories.join())
    await tellChange(tx, { before, after, origin: 'detected' })
  return after
}

const kindOf = ({ source: { kind } }: ScanRow): AssetRow['kind'] =>
  kind === 'file' || kind === 's3' ? 'file' : 'dataset'

interface Moved {
  readonly before: AssetRow
  readonly after: AssetRow
  readonly origin: 'detected' | 'manual'
}

function tellChange(tx: Tx, { before, after, origin }: Moved): Promise<void> {
  const { id, level, categories } = after
  return tx.emit(labelChanged, id, { asset_id: id, level, previous: before.level, categories, origin })
}

export interface Patching {
  readonly iam: DataGovServices['iam']
  readonly actor: Actor
  readonly id: string
  readonly input: AssetPatch
  readonly precondition: Precondition
}

/** The row as it is after the change, which a dry run does not store. @throws API-012, API-013, AUTH-004, DGOV-004, DGOV-005 */
export async function patchAsset(
  kernel: Kernel,
  tx: Tx,
  { iam, actor, id, input, precondition }: Patching,
): Promise<AssetRow> {
  await refuseUnknownOwner(iam, tx, input)
  const unknown = (input.labels ?? []).findIndex(({ category }) => categoryOf(category) === null)
  if (unknown >= 0)
    throw errors
      .unknownLabel({ what: `There is no category "${input.labels?.[unknown]?.category}".` })
      .at([{ detail: 'names no category', pointer: `/labels/${unknown}/category` }])
  const held = await hold(tx, assetResource, { id, precondition })
  const { row } = held
  if (input.pin === false && !holds(actor.permissions, 'data-gov:admin'))
    throw authErrors.forbidden({ permission: 'data-gov:admin' })
  const moves = input.labels !== undefined || input.level !== undefined
  if (row.pinned && moves && input.pin !== false) throw errors.pinned()
  const changes = changesOf(row, { input, by: actor.userId, at: kernel.clock.iso() })
  if (input.dry_run === true) {
    await tx.audit('data_gov.asset.update', { target: `data_gov_asset:${id}`, after: { dry_run: true } })
    return { ...row, ...changes }
  }
  const after = await change(kernel, tx, held, { action: 'data_gov.asset.update', changes })
  if (after.level !== row.level || after.categories.join() !== row.categories.join())
    await tellChange(tx, { before: row, after, origin: 'manual' })
  await tx.announce(lineageTopic, '*')
  return after
}

/** @throws API-001 */
async function refuseUnknownOwner(
  iam: DataGovServices['iam'],
  tx: Tx,
  { owner_user_id: owner }: AssetPatch,
): Promise<void> {
  if (owner === undefined || owner === null) return
  const known = await iam.knownPrincipals(tx, { users: [owner], keys: [] })
  if (known.has(owner)) return
  throw apiErrors
    .validation({ what: 'The owner is no user of this tenant.' })
    .at([{ detail: 'names no user', pointer: '/owner_user_id' }])
}

interface Deciding {
  readonly input: AssetPatch
  readonly by: string
  readonly at: string
}

function changesOf(row: AssetRow, { input, by, at }: Deciding) {
  const decisions = (input.labels ?? []).map(({ category, state, reason }) => ({
    ...{ category, state, by, at },
    reason: reason ?? null,
  }))
  const labels = [...withDecisions(row.labels, decisions)]
  const levelSet = input.level === undefined ? row.level_set : input.level
  return {
    ...{ labels, level_set: levelSet, ...effective(labels, levelSet) },
    owner_user_id: input.owner_user_id === undefined ? row.owner_user_id : input.owner_user_id,
    purposes: input.purposes ?? row.purposes,
    pinned: input.pin ?? row.pinned,
  }
}

export function assetConditions(filter: AssetFilter): SqlPart {
  const { q, kind, namespace, level, category, state, owner_user_id: owner, scan_id: scan } = filter
  return join(
    [
      sql`true`,
      ...(q === undefined ? [] : [sql`(lower(name) like ${likePrefix(q)} or lower(field) like ${likePrefix(q)})`]),
      ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
      ...(namespace === undefined ? [] : [sql`namespace = ${namespace}`]),
      ...(level === undefined ? [] : [sql`level = ${level}`]),
      ...(category === undefined ? [] : [sql`labels @> ${json([{ category }])}::jsonb`]),
      ...(state === undefined ? [] : [sql`labels @> ${json([{ state }])}::jsonb`]),
      ...(owner === undefined ? [] : [sql`owner_user_id = ${owner}`]),
      ...(scan === undefined ? [] : [sql`last_scan_id = ${scan}`]),
    ],
    ' and ',
  )
}

export function assetView(row: AssetRow) {
  const { version: _version, key: _key, level_set: _set, ...shown } = row
  return shown
}
