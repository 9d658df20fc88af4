/** Assets as they are listed and shown, with their relations. Tested in assets.test.ts. */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, json, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import type { Asset, AssetFilter, AssetRow } from '../declared/asset-schema.ts'
import type { RelationRow } from '../declared/relation-schema.ts'
import { assets } from '../declared/tables.ts'

const mostRelations = 100

export async function listAssets(
  tx: Tx,
  { page, filter }: { readonly page: PageRequest; readonly filter: AssetFilter },
): Promise<Page<Versioned<Asset>>> {
  const found = await assets.page(tx, page, join([sql`true`, ...conditions(filter)], ' and '))
  const views = await assetViews(tx, found.items)
  return { ...found, items: views.map((view, index) => new Versioned(view, found.items[index]?.version ?? 1)) }
}

function conditions(filter: AssetFilter): readonly SqlPart[] {
  const { id, kind, status, exposure, criticality_min: least, crown_jewel: jewel, cve, kev, agent_id: agent } = filter
  const { near, hops = 1, q } = filter
  const hasKev = sql`vulnerabilities @> ${json([{ kev: true }])}::jsonb`
  return [
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(exposure === undefined ? [] : [sql`exposure = ${exposure}`]),
    ...(least === undefined ? [] : [sql`criticality >= ${least}`]),
    ...(jewel === undefined ? [] : [sql`crown_jewel = ${jewel}`]),
    ...(cve === undefined ? [] : [sql`vulnerabilities @> ${json([{ id: cve }])}::jsonb`]),
    ...(kev === undefined ? [] : [kev ? hasKev : sql`not ${hasKev}`]),
    ...(agent === undefined
      ? []
      : [sql`id = (select asset_id from cybertwins_key where key = ${`platform:agent/${agent}`})`]),
    ...(near === undefined ? [] : [within(near, hops)]),
    ...(q === undefined ? [] : [sql`(lower(name) like ${likePrefix(q)} or lower(name) like ${`% ${likePrefix(q)}`})`]),
  ]
}

/** Assets around one, in both directions, up to some hops away. */
function within(near: string, hops: number): SqlPart {
  return sql`id in (
    with recursive reached (id, hop) as (
      select ${near}::uuid, 0
      union
      select case when held.source_id = reached.id then held.target_id else held.source_id end, reached.hop + 1
      from reached join cybertwins_relation held on held.source_id = reached.id or held.target_id = reached.id
      where reached.hop < ${hops})
    select id from reached)`
}

export async function assetViews(tx: Tx, rows: readonly AssetRow[]): Promise<Asset[]> {
  if (rows.length === 0) return []
  const found = await tx.query(sql<Omit<RelationRow, 'tenant_id' | 'created_at' | 'updated_at'>>`
    select ranked.id, source_id, target_id, kind, technique, p_override, reason, hours, requires, source
    from (
      select held.*, row_number() over (partition by source_id order by id) as place from cybertwins_relation held
      where source_id = any(${rows.map(({ id }) => id)}::uuid[])) ranked
    where place <= ${mostRelations} order by ranked.id`)
  const byAsset = new Map<string, Asset['relationships'][number][]>()
  for (const { source_id: from, ...relation } of found) {
    const known = byAsset.get(from)
    if (known === undefined) byAsset.set(from, [relation])
    else known.push(relation)
  }
  return rows.map(({ version: _version, stale_at: _stale, ...row }) => ({
    ...row,
    relationships: byAsset.get(row.id) ?? [],
  }))
}

export async function assetView(tx: Tx, row: AssetRow): Promise<Asset> {
  const [view] = await assetViews(tx, [row])
  if (view === undefined) throw new Error('an asset without a view')
  return view
}
