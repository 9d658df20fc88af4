/**
 * Facts that an authoritative source no longer has: its assets go stale, its relations are removed. Kept ids are joined: a
 * comparison of each row with a list of thousands would be quadratic.
 */

import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { json, sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { AssetRow } from '../declared/asset-schema.ts'
import { assetChanged } from '../declared/events.ts'
import { relations } from '../declared/tables.ts'

export interface Absence {
  readonly source: string
  readonly seen: ReadonlySet<string>
  readonly keptRelations: ReadonlySet<string>
}

export async function markAbsent(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  { source, seen, keptRelations }: Absence,
): Promise<{ readonly stale: number; readonly removed: number }> {
  const gone = await tx.query(sql<Pick<AssetRow, 'id' | 'kind'>>`
    update cybertwins_asset set status = 'stale', stale_at = null, version = version + 1, updated_at = ${clock.iso()}
    where status in ('discovered', 'active') and sources @> ${json([{ source }])}::jsonb
      and not sources @> '[{"source":"manual"}]'::jsonb
      and not exists (select from unnest(${[...seen]}::uuid[]) as kept (id) where kept.id = cybertwins_asset.id)
    returning id, kind`)
  await tx.emitAll(
    assetChanged,
    gone.map(({ id, kind }) => ({ subject: id, data: { asset_id: id, kind, change: 'stale' as const, source } })),
  )
  const removed = await tx.execute(sql`
    delete from cybertwins_relation
    where source = ${source} and ${notHeld(relations)}
      and not exists (
        select from unnest(${[...keptRelations]}::uuid[]) as kept (id) where kept.id = cybertwins_relation.id)`)
  return { stale: gone.length, removed }
}
