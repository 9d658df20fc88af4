/** Keeps the entries of a mapping collection; the same collection again takes the place of its entries. */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { newRow } from '../../../kernel/resource/resource.ts'
import { catalogOfKey } from '../catalogs/catalogs.ts'
import { mappings } from '../declared/framework-tables.ts'
import type { MappingRow } from '../declared/mapping-schema.ts'
import type { MappingsContent } from '../documents/content.ts'
import { errors } from '../errors/errors.ts'

export interface MappingsSummary {
  readonly mappings: number
  readonly warnings: readonly string[]
}

interface Storing {
  readonly read: MappingsContent
  readonly dryRun: boolean
}

/** @throws COMP-004 for a framework or a control that is not there */
export async function storeMappings(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { read, dryRun }: Storing,
): Promise<MappingsSummary> {
  const rows: MappingRow[] = []
  for (const [index, { source, target, entries }] of read.collections.entries()) {
    const pointer = `/mapping-collection/mappings/${index}`
    const [ofSource, ofTarget] = [await refsOf(tx, source, pointer), await refsOf(tx, target, pointer)]
    for (const entry of entries) {
      refuseUnknown(entry.sources, ofSource, { key: source, pointer })
      refuseUnknown(entry.targets, ofTarget, { key: target, pointer })
      rows.push({
        ...newRow(kernel, tx),
        ...{ source_key: source, target_key: target, sources: [...entry.sources], targets: [...entry.targets] },
        ...{ relation: entry.relation, rationale: entry.rationale, reason: entry.reason, strength: entry.strength },
        ...{ coverage: entry.coverage, confidence: entry.confidence, origin: read.title },
      })
    }
  }
  if (!dryRun) await replace(tx, read, rows)
  return { mappings: rows.length, warnings: ['A mapping is an aid, not a finding of conformity.'] }
}

async function replace(tx: Tx, { title, collections }: MappingsContent, rows: readonly MappingRow[]): Promise<void> {
  await tx.lock('compliance.mappings', tx.tenantId)
  for (const { source, target } of collections)
    await tx.execute(sql`
      delete from compliance_mapping where origin = ${title} and source_key = ${source} and target_key = ${target}`)
  await insertMany(tx, mappings, rows)
  await tx.audit('compliance.framework.create', {
    target: `compliance_mappings:${title.slice(0, 100)}`,
    after: { mappings: rows.length, frameworks: collections.map(({ source, target }) => ({ source, target })) },
  })
}

/** Refs of the newest edition of a framework. */
async function refsOf(tx: Tx, key: string, pointer: string): Promise<ReadonlySet<string>> {
  const rows = await tx.query(sql<{ ref: string }>`
    select control.ref from compliance_control control
    join compliance_framework held on held.id = control.framework_id where held.key = ${key}`)
  const known = [
    ...rows.map(({ ref }) => ref),
    ...(catalogOfKey(key)?.groups.flatMap((group) => group.controls.map(({ ref }) => ref)) ?? []),
  ]
  if (known.length > 0) return new Set(known)
  throw errors
    .unresolved({ what: `There is no framework ${key}. Import it first.` })
    .at([{ detail: `names the unknown framework ${key}`, pointer }])
}

function refuseUnknown(
  refs: readonly string[],
  known: ReadonlySet<string>,
  { key, pointer }: { readonly key: string; readonly pointer: string },
): void {
  const unknown = refs.filter((ref) => !known.has(ref))
  if (unknown.length === 0) return
  throw errors
    .unresolved({ what: `${key} has no control ${unknown.slice(0, 5).join(', ')}.` })
    .at([{ detail: `names ${unknown[0] ?? ''}, which ${key} does not have`, pointer }])
}
