/** Assets that people and clients write. Tested in assets.test.ts. */

import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, hold } from '../../../kernel/resource/resource.ts'
import type { Asset, AssetRow, NewAsset, NewRelation, PatchAsset } from '../declared/asset-schema.ts'
import { assetChanged } from '../declared/events.ts'
import { assetResource, assets, relations } from '../declared/tables.ts'
import { manualSource } from '../declared/words.ts'
import { errors } from '../errors/errors.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { applyContent } from './apply.ts'
import type { AssetRef, ReadAsset, ReadRelation, TwinContent } from './content.ts'
import { assetView, assetViews } from './list.ts'
import { lockTwin } from './lock.ts'
import { joinedVulnerabilities, vectorFault } from './merge.ts'

type Parts = Pick<TwinServices, 'kernel' | 'iam'>

export interface Written {
  /** Of the first asset. */
  readonly id: string
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly relations: number
  readonly items: { outcome: 'created' | 'updated' | 'unchanged'; asset: Asset }[]
}

/** Creates or updates assets by their external ids, all or none. @throws TWIN-001, TWIN-002 */
export async function writeAssets(services: Parts, tx: Tx, input: readonly NewAsset[]): Promise<Written> {
  refuseBadVectors(input.map(({ vulnerabilities }, i) => ({ vulnerabilities, pointer: `/assets/${i}` })))
  await refuseUnknownOwners(services, tx, input)
  const content = contentOf(input)
  const { counts, outcomes } = await applyContent(services.kernel, tx, {
    ...{ content, source: manualSource, authoritative: false, staleAt: null, strict: true },
  })
  const rows = await tx.query(sql<AssetRow>`
    select ${assets.columns} from cybertwins_asset where id = any(${outcomes.map(({ id }) => id)}::uuid[])`)
  const views = new Map((await assetViews(tx, rows)).map((view) => [view.id, view]))
  const { created, updated, unchanged, edges } = counts
  await tx.audit('cybertwins.asset.create', {
    target: `cybertwins_asset:${outcomes[0]?.id ?? ''}`,
    after: { created, updated, unchanged, relations: edges, ids: outcomes.slice(0, 100).map(({ id }) => id) },
  })
  return {
    ...{ id: outcomes[0]?.id ?? '', created, updated, unchanged, relations: edges },
    items: outcomes.flatMap(({ id, outcome }) => {
      const asset = views.get(id)
      return asset === undefined ? [] : [{ outcome, asset }]
    }),
  }
}

function contentOf(input: readonly NewAsset[]): TwinContent {
  return {
    assets: input.map(readAsset),
    relations: input.flatMap(({ relationships = [] }, place) =>
      relationships.map((one, i) => readRelation({ place }, one, `/assets/${place}/relationships/${i}`)),
    ),
    ...{ vex: [], skipped: [] },
  }
}

function readAsset(asset: NewAsset, place: number): ReadAsset {
  const { kind, name, external_ids: externalIds = [], vulnerabilities, controls, relationships: _r, ...fields } = asset
  return {
    ...{ kind, name, externalIds, fields, pointer: `/assets/${place}` },
    ...(vulnerabilities === undefined ? {} : { vulnerabilities }),
    ...(controls === undefined ? {} : { controls }),
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function readRelation(source: AssetRef, relation: NewRelation, pointer: string): ReadRelation {
  const { kind, target, technique = null, p_override = null, reason = null, hours = null, requires = null } = relation
  const ref = uuid.test(target) ? { id: target.toLowerCase() } : { key: target }
  return { source, target: ref, kind, technique, p_override, reason, hours, requires, pointer }
}

interface Vulnerable {
  readonly vulnerabilities: NewAsset['vulnerabilities']
  readonly pointer: string
}

/** @throws TWIN-002 */
function refuseBadVectors(input: readonly Vulnerable[]): void {
  const faults = input.flatMap(({ vulnerabilities = [], pointer }) =>
    vulnerabilities.flatMap(({ cvss_vector: vector }, i) => {
      const detail = vector === undefined ? null : vectorFault(vector)
      return detail === null ? [] : [{ detail, pointer: `${pointer}/vulnerabilities/${i}/cvss_vector` }]
    }),
  )
  if (faults.length > 0) throw errors.assetInvalid({ what: 'A CVSS vector cannot be read.' }).at(faults.slice(0, 20))
}

/** @throws TWIN-002 */
async function refuseUnknownOwners({ iam }: Parts, tx: Tx, input: readonly NewAsset[]): Promise<void> {
  const owners = [...new Set(input.flatMap(({ owner_id: id }) => id ?? []))]
  if (owners.length === 0) return
  const known = await iam.knownPrincipals(tx, { users: owners, keys: [] })
  const unknown = input.flatMap(({ owner_id: id }, i) => (id == null || known.has(id) ? [] : [`/assets/${i}/owner_id`]))
  if (unknown.length > 0) throw unknownOwner(unknown[0] ?? '')
}

const unknownOwner = (pointer: string): ProblemError =>
  errors.assetInvalid({ what: 'The owner does not exist.' }).at([{ detail: 'There is no such user.', pointer }])

export interface AssetChange {
  readonly id: string
  readonly precondition: Precondition
  readonly input: PatchAsset
}

/** @throws API-012, API-013, TWIN-002, TWIN-004 */
export async function changeAsset(
  services: Parts,
  tx: Tx,
  { id, precondition, input }: AssetChange,
): Promise<Versioned<Asset>> {
  const { kernel, iam } = services
  await lockTwin(tx)
  const held = await hold(tx, assetResource, { id, precondition })
  const { row } = held
  refuseBadVectors([{ vulnerabilities: input.vulnerabilities, pointer: '' }])
  const { owner_id: owner } = input
  if (owner != null && !(await iam.knownPrincipals(tx, { users: [owner], keys: [] })).has(owner))
    throw unknownOwner('/owner_id')
  refuseMove(row, input.status)
  if (input.relationships !== undefined) await replaceRelations(services, tx, row, input.relationships)
  const changed = await change(kernel, tx, held, {
    action: 'cybertwins.asset.update',
    changes: changesOf(row, input, kernel.clock.iso()),
  })
  const told = { asset_id: id, kind: row.kind, source: manualSource }
  await tx.emit(assetChanged, id, { ...told, change: input.status === 'retired' ? 'retired' : 'updated' })
  return new Versioned(await assetView(tx, changed), changed.version)
}

function refuseMove({ status }: AssetRow, to: PatchAsset['status']): void {
  if (to === undefined || to === status) return
  const isAllowed = to === 'retired' || status === 'retired'
  if (!isAllowed) throw errors.illegalMove({ from: status, to }).at([{ detail: 'is not allowed', pointer: '/status' }])
}

function changesOf(row: AssetRow, { relationships: _r, vulnerabilities, controls, ...input }: PatchAsset, now: string) {
  const others = row.sources.filter(({ source }) => source !== manualSource)
  const own = row.sources.find(({ source }) => source === manualSource)
  const seen = { source: manualSource, first_seen: own?.first_seen ?? now, last_seen: now, confidence: 100 }
  return {
    ...input,
    sources: [...others, seen],
    ...(vulnerabilities === undefined
      ? {}
      : { vulnerabilities: joinedVulnerabilities(row.vulnerabilities, vulnerabilities, manualSource) }),
    ...(controls === undefined
      ? {}
      : {
          controls: [
            ...row.controls.filter(({ source }) => source !== manualSource),
            ...controls.map((one) => ({
              ...{ ...one, techniques: one.techniques ?? null, measured: null, source: manualSource },
            })),
          ],
        }),
  }
}

/** Outgoing relations that people wrote are those that are given. @throws TWIN-002 */
async function replaceRelations(
  { kernel }: Parts,
  tx: Tx,
  row: AssetRow,
  given: readonly NewRelation[],
): Promise<void> {
  await tx.execute(sql`
    delete from cybertwins_relation
    where source_id = ${row.id} and source = ${manualSource} and ${notHeld(relations)}`)
  const content = {
    ...{ assets: [], vex: [], skipped: [] },
    relations: given.map((one, i) => readRelation({ id: row.id }, one, `/relationships/${i}`)),
  }
  await applyContent(kernel, tx, {
    ...{ content, source: manualSource, authoritative: false, staleAt: null, strict: true },
  })
}
