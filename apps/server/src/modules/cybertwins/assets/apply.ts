/**
 * Brings content into the twin: finds what is known, merges, writes, and tells of it. Everything is in the caller's
 * transaction, under one lock of the tenant, so that two imports at once make no asset twice. Tested in assets.test.ts and
 * through the imports.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { AssetRow } from '../declared/asset-schema.ts'
import { assetChanged } from '../declared/events.ts'
import type { ImportCounts, Skipped } from '../declared/relation-schema.ts'
import { errors } from '../errors/errors.ts'
import { markAbsent } from './absent.ts'
import { keyOf, type ReadAsset, type TwinContent } from './content.ts'
import { lockTwin } from './lock.ts'
import { type Known, knownAssets, matchesOf } from './match.ts'
import { mergedAsset, type Seen } from './merge.ts'
import { applyRelations } from './relations.ts'
import { type PlannedRow, writeAssets } from './store-assets.ts'

const batch = 500

export interface Applying {
  readonly content: TwinContent
  readonly source: string
  /** Assets and relations of the source that the content lacks go stale or are removed. */
  readonly authoritative: boolean
  /** When what was seen goes stale unless it is seen again; null for never. */
  readonly staleAt: string | null
  /** Contradictions and unknown references are refused instead of left out. */
  readonly strict: boolean
}

export interface Applied {
  readonly counts: ImportCounts
  readonly skipped: readonly Skipped[]
  /** Of each asset of the content that was taken, in order. */
  readonly outcomes: readonly { readonly id: string; readonly outcome: 'created' | 'updated' | 'unchanged' }[]
}

type Parts = Pick<Kernel, 'clock' | 'random'>

/** @throws TWIN-001, TWIN-002 where it is strict */
export async function applyContent(kernel: Parts, tx: Tx, applying: Applying): Promise<Applied> {
  await lockTwin(tx)
  const { content, source, staleAt } = applying
  const known = await knownAssets(tx, content)
  const plan = planOf(kernel, tx, applying, known, { source, now: kernel.clock.iso(), staleAt })
  await writeAssets(tx, { ...plan, known: known.byKey })
  const relations = await applyRelations(kernel, tx, { applying, plan, known })
  const absent = applying.authoritative
    ? await markAbsent(kernel, tx, { source, seen: plan.seen, keptRelations: relations.kept })
    : { stale: 0, removed: 0 }
  await tellChanges(tx, plan, source)
  const count = (wanted: Planned['outcome']) => plan.assets.filter(({ outcome }) => outcome === wanted).length
  return {
    counts: {
      ...{ created: count('created'), updated: count('updated'), unchanged: count('unchanged') },
      ...{ stale: absent.stale, edges: relations.written, edges_removed: absent.removed },
      vulnerabilities: content.vex.length + content.assets.reduce((n, { vulnerabilities: v = [] }) => n + v.length, 0),
    },
    skipped: [...content.skipped, ...plan.skipped, ...relations.skipped],
    outcomes: plan.assets.flatMap(({ row, outcome, place }) => (place === null ? [] : [{ id: row.id, outcome }])),
  }
}

interface Planned extends PlannedRow {
  /** In the content; null for assets that VEX statements alone change. */
  readonly place: number | null
}

export interface Plan {
  readonly assets: readonly Planned[]
  /** Id of the asset at each place of the content; absent where it was left out. */
  readonly idAt: ReadonlyMap<number, string>
  readonly keys: ReadonlyMap<string, string>
  readonly seen: ReadonlySet<string>
  readonly skipped: readonly Skipped[]
}

function planOf(kernel: Parts, tx: Tx, { content, strict }: Applying, known: Known, seen: Seen): Plan {
  const rows = new Map<string, Planned>()
  const keys = new Map(known.byKey)
  const idAt = new Map<number, string>()
  const skipped: Skipped[] = []
  for (const [place, read] of content.assets.entries()) {
    const [id, another] = matchesOf(read, keys)
    const before = id === undefined ? null : (rows.get(id)?.row ?? known.byId.get(id) ?? null)
    const fault = faultOf(read, before, another)
    if (fault !== null) {
      if (strict) throw fault
      skipped.push({ pointer: read.pointer, reason: fault.message })
      continue
    }
    const planned = plannedOf(kernel, tx, { read, before, first: rows.get(id ?? ''), place, seen })
    rows.set(planned.row.id, planned)
    idAt.set(place, planned.row.id)
    for (const external of read.externalIds) keys.set(keyOf(external), planned.row.id)
  }
  applyVex(content, { rows, keys, known, skipped })
  return { assets: [...rows.values()], idAt, keys, seen: new Set(idAt.values()), skipped }
}

function faultOf(read: ReadAsset, before: AssetRow | null, another: string | undefined) {
  const [first] = read.externalIds
  if (before !== null && before.kind !== read.kind)
    return errors
      .kindConflict({ key: first === undefined ? before.id : keyOf(first), kind: before.kind })
      .at([{ detail: `is ${before.kind} so far`, pointer: `${read.pointer}/kind` }])
  if (another === undefined) return null
  return errors
    .assetInvalid({ what: 'The external ids belong to two assets. Send those of one of them.' })
    .at([{ detail: 'belong to two assets', pointer: `${read.pointer}/external_ids` }])
}

interface Planning {
  readonly read: ReadAsset
  readonly before: AssetRow | null
  /** The same asset earlier in the content. */
  readonly first: Planned | undefined
  readonly place: number
  readonly seen: Seen
}

function plannedOf(kernel: Parts, tx: Tx, { read, before, first, place, seen }: Planning): Planned {
  const { content, changed } = mergedAsset(before, read, seen)
  const stamps =
    before === null
      ? { id: kernel.random.uuid(), tenant_id: tx.tenantId, version: 1, created_at: seen.now, updated_at: seen.now }
      : {
          ...{ id: before.id, tenant_id: before.tenant_id, created_at: before.created_at },
          version: changed && first === undefined ? before.version + 1 : before.version,
          updated_at: changed ? seen.now : before.updated_at,
        }
  const outcome = before === null ? 'created' : changed ? 'updated' : 'unchanged'
  const kept = first?.outcome === 'created' || (first?.outcome === 'updated' && outcome === 'unchanged')
  return { row: { ...content, ...stamps }, outcome: kept ? first.outcome : outcome, place: first?.place ?? place }
}

interface VexPlan {
  readonly rows: Map<string, Planned>
  readonly keys: ReadonlyMap<string, string>
  readonly known: Known
  readonly skipped: Skipped[]
}

/** States of VEX are laid over the vulnerabilities of the assets that they name, wherever those came from. */
function applyVex({ vex }: TwinContent, { rows, keys, known, skipped }: VexPlan): void {
  for (const { key, id, state, pointer } of vex) {
    const assetId = keys.get(key) ?? ''
    const planned = rows.get(assetId)
    const row = planned?.row ?? known.byId.get(assetId)
    const has = row?.vulnerabilities.some((one) => one.id === id) ?? false
    if (row === undefined || !has) {
      skipped.push({ pointer, reason: row === undefined ? `No asset has the id ${key}.` : `The asset has no ${id}.` })
      continue
    }
    const vulnerabilities = row.vulnerabilities.map((one) => (one.id === id ? { ...one, vex_state: state } : one))
    const isChanged = JSON.stringify(vulnerabilities) !== JSON.stringify(row.vulnerabilities)
    if (!isChanged) continue
    const version = planned === undefined || planned.outcome === 'unchanged' ? row.version + 1 : row.version
    const outcome = planned?.outcome === 'created' ? 'created' : 'updated'
    rows.set(assetId, { row: { ...row, vulnerabilities, version }, outcome, place: planned?.place ?? null })
  }
}

async function tellChanges(tx: Tx, { assets: planned }: Plan, source: string): Promise<void> {
  const changed = planned.flatMap(({ row, outcome }) => (outcome === 'unchanged' ? [] : [{ row, change: outcome }]))
  for (let at = 0; at < changed.length; at += batch)
    await tx.emitAll(
      assetChanged,
      changed.slice(at, at + batch).map(({ row, change }) => ({
        subject: row.id,
        data: { asset_id: row.id, kind: row.kind, change, source },
      })),
    )
}
