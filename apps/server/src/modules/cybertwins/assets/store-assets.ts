/**
 * Writes planned assets and their external ids, each in the cheapest way: new rows are inserted, changed ones replaced, of
 * the others only the times are written. Tested through the imports.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows, recordset } from '../../../kernel/db/rows.ts'
import { identifier, join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { AssetRow } from '../declared/asset-schema.ts'
import { assetKeys, assets } from '../declared/tables.ts'

const batch = 1_000

export interface PlannedRow {
  readonly row: AssetRow
  readonly outcome: 'created' | 'updated' | 'unchanged'
}

export interface AssetWrites {
  readonly assets: readonly PlannedRow[]
  /** Id of the asset of each external id, and those of them that are stored. */
  readonly keys: ReadonlyMap<string, string>
  readonly known: ReadonlyMap<string, string>
  readonly seen: ReadonlySet<string>
}

const written = Object.keys(assets.row.properties).filter((name) => !['id', 'tenant_id', 'created_at'].includes(name))
/** Of an asset that was seen again as it was. */
const times = ['sources', 'last_seen', 'stale_at']

export async function writeAssets(tx: Tx, { assets: planned, keys, known, seen }: AssetWrites): Promise<void> {
  const rowsOf = (outcome: PlannedRow['outcome']) =>
    planned.flatMap((one) => (one.outcome === outcome ? [one.row] : []))
  await inBatches(rowsOf('created'), (rows) => tx.execute(insertRows(assets, rows)))
  await inBatches(rowsOf('updated'), (rows) => tx.execute(updateRows(rows, written)))
  await inBatches(rowsOf('unchanged'), (rows) =>
    tx.execute(
      updateRows(
        rows.map(({ id, sources, last_seen, stale_at }) => ({ id, sources, last_seen, stale_at })),
        times,
      ),
    ),
  )
  const added = [...keys].filter(([key, id]) => seen.has(id) && !known.has(key))
  await inBatches(added, (some) =>
    tx.execute(
      insertRows(
        assetKeys,
        some.map(([key, id]) => ({ tenant_id: tx.tenantId, key, asset_id: id })),
      ),
    ),
  )
}

async function inBatches<T>(all: readonly T[], write: (some: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += batch) await write(all.slice(at, at + batch))
}

/** One join by the key: the rows bring the new values of the columns. */
function updateRows(rows: readonly object[], columns: readonly string[]): SqlPart {
  const set = join(
    columns.map((name) => sql`${identifier(name)} = changed.${identifier(name)}`),
    ', ',
  )
  return sql`
    update cybertwins_asset held set ${set} from ${recordset(assets, rows)} as changed where held.id = changed.id`
}
