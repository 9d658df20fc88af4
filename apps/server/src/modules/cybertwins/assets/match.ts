/** Finds the stored assets that content is about, by their external ids. Tested through the imports. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { AssetRow } from '../declared/asset-schema.ts'
import { assets } from '../declared/tables.ts'
import { keyOf, type ReadAsset, type TwinContent } from './content.ts'

const batch = 5_000

export interface Known {
  /** Id of the asset of each key. */
  readonly byKey: ReadonlyMap<string, string>
  readonly byId: ReadonlyMap<string, AssetRow>
}

/** Stored assets of all external ids and ids that the content names. The lock of the twin keeps them as they are. */
export async function knownAssets(tx: Tx, content: TwinContent): Promise<Known> {
  const refs = content.relations.flatMap(({ source, target }) => [source, target])
  const keys = new Set([
    ...content.assets.flatMap(({ externalIds }) => externalIds.map(keyOf)),
    ...refs.flatMap((ref) => ('key' in ref ? [ref.key] : [])),
    ...content.vex.map(({ key }) => key),
  ])
  const byKey = await idsOf(tx, [...keys])
  const ids = new Set([...byKey.values(), ...refs.flatMap((ref) => ('id' in ref ? [ref.id] : []))])
  return { byKey, byId: await rowsOf(tx, [...ids]) }
}

async function idsOf(tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (let at = 0; at < keys.length; at += batch) {
    const rows = await tx.query(sql<{ key: string; asset_id: string }>`
      select key, asset_id from cybertwins_key where key = any(${keys.slice(at, at + batch)}::text[])`)
    for (const { key, asset_id: id } of rows) found.set(key, id)
  }
  return found
}

async function rowsOf(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, AssetRow>> {
  const found = new Map<string, AssetRow>()
  for (let at = 0; at < ids.length; at += batch) {
    const rows = await tx.query(sql<AssetRow>`
      select ${assets.columns} from cybertwins_asset where id = any(${ids.slice(at, at + batch)}::uuid[])`)
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

/** Ids of stored assets that an asset of the content is one of; more than one where its ids contradict each other. */
export function matchesOf({ externalIds }: ReadAsset, byKey: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set(externalIds.flatMap((id) => byKey.get(keyOf(id)) ?? []))]
}
