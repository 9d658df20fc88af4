/** Writes the relations of content. A relation that people wrote stays as they wrote it. Tested in assets.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows, recordset } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { RelationRow, Skipped } from '../declared/relation-schema.ts'
import { relations } from '../declared/tables.ts'
import { manualSource } from '../declared/words.ts'
import { errors } from '../errors/errors.ts'
import type { AssetRef, ReadRelation } from './content.ts'
import type { Known } from './match.ts'

const batch = 1_000
const lookups = 5_000

interface PlannedAssets {
  readonly idAt: ReadonlyMap<number, string>
  readonly keys: ReadonlyMap<string, string>
}

export interface RelationsInput {
  readonly applying: {
    readonly content: { readonly relations: readonly ReadRelation[] }
    readonly source: string
    readonly strict: boolean
  }
  readonly plan: PlannedAssets
  readonly known: Known
}

export interface AppliedRelations {
  /** New and changed ones. */
  readonly written: number
  /** Ids of all that the content names. */
  readonly kept: ReadonlySet<string>
  readonly skipped: readonly Skipped[]
}

/** @throws TWIN-002 where it is strict */
export async function applyRelations(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { applying, plan, known }: RelationsInput,
): Promise<AppliedRelations> {
  const { content, source, strict } = applying
  const skipped: Skipped[] = []
  const wanted = new Map<string, Omit<RelationRow, 'id' | 'tenant_id' | 'created_at' | 'updated_at'>>()
  for (const relation of content.relations) {
    const from = idOf(relation.source, plan, known)
    const to = idOf(relation.target, plan, known)
    const fault = faultOf(relation, from, to)
    if (fault !== null) {
      if (strict) throw errors.assetInvalid({ what: fault.detail }).at([fault])
      skipped.push({ pointer: fault.pointer, reason: fault.detail })
      continue
    }
    const { kind, technique, p_override, reason, hours, requires } = relation
    const row = {
      ...{ source_id: from ?? '', target_id: to ?? '', kind, technique, p_override, reason, hours, requires, source },
    }
    wanted.set(nameOf(row), row)
  }
  const before = await storedFrom(tx, [...new Set([...wanted.values()].map((row) => row.source_id))])
  const now = kernel.clock.iso()
  const kept = new Set<string>()
  const added: RelationRow[] = []
  const changed: RelationRow[] = []
  for (const [name, row] of wanted) {
    const known = before.get(name)
    const id = known?.id ?? kernel.random.uuid()
    kept.add(id)
    const isTheirs = known?.source === manualSource && source !== manualSource
    if (isTheirs || (known !== undefined && isEqual(known, row))) continue
    const to = known === undefined ? added : changed
    to.push({ ...row, id, tenant_id: tx.tenantId, created_at: known?.created_at ?? now, updated_at: now })
  }
  await writeRelations(tx, { added, changed })
  return { written: added.length + changed.length, kept, skipped }
}

function idOf(ref: AssetRef, { idAt, keys }: PlannedAssets, { byId }: Known): string | undefined {
  if ('place' in ref) return idAt.get(ref.place)
  if ('key' in ref) return keys.get(ref.key)
  return byId.has(ref.id) ? ref.id : undefined
}

function faultOf({ pointer, p_override: p, reason }: ReadRelation, from: string | undefined, to: string | undefined) {
  if (from === undefined) return { pointer, detail: 'The source of the relation is no asset.' }
  if (to === undefined) return { pointer: `${pointer}/target`, detail: 'The target of the relation is no asset.' }
  if (from === to) return { pointer: `${pointer}/target`, detail: 'The relation leads from an asset to itself.' }
  if (p !== null && reason === null)
    return { pointer: `${pointer}/reason`, detail: 'A probability of one’s own needs a reason.' }
  return null
}

type Named = Pick<RelationRow, 'source_id' | 'target_id' | 'kind' | 'technique'>

const nameOf = ({ source_id: from, target_id: to, kind, technique }: Named): string =>
  `${from} ${to} ${kind} ${technique ?? ''}`

const isEqual = (a: RelationRow, b: Omit<RelationRow, 'id' | 'tenant_id' | 'created_at' | 'updated_at'>): boolean =>
  a.p_override === b.p_override &&
  a.reason === b.reason &&
  a.hours === b.hours &&
  a.requires === b.requires &&
  a.source === b.source

async function storedFrom(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, RelationRow>> {
  const found = new Map<string, RelationRow>()
  for (let at = 0; at < ids.length; at += lookups) {
    const rows = await tx.query(sql<RelationRow>`
      select ${relations.columns} from cybertwins_relation
      where source_id = any(${ids.slice(at, at + lookups)}::uuid[])`)
    for (const row of rows) found.set(nameOf(row), row)
  }
  return found
}

interface Writes {
  readonly added: readonly RelationRow[]
  readonly changed: readonly RelationRow[]
}

async function writeRelations(tx: Tx, { added, changed }: Writes): Promise<void> {
  for (let at = 0; at < added.length; at += batch) await tx.execute(insertRows(relations, added.slice(at, at + batch)))
  for (let at = 0; at < changed.length; at += batch)
    await tx.execute(sql`
      update cybertwins_relation held set
        p_override = changed.p_override, reason = changed.reason, hours = changed.hours,
        requires = changed.requires, source = changed.source, updated_at = changed.updated_at
      from ${recordset(relations, changed.slice(at, at + batch))} as changed where held.id = changed.id`)
}
