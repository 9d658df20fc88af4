/** The threat library as it is searched. Tested in import.test.ts. */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Threat, ThreatFilter, ThreatRow } from './library/schema.ts'
import { threats } from './library/tables.ts'

export function threatView({ key: _key, object_version: version, ...shown }: ThreatRow): Threat {
  return { ...shown, version }
}

export async function listThreats(
  tx: Tx,
  { page, filter }: { readonly page: PageRequest; readonly filter: ThreatFilter },
): Promise<Page<Threat>> {
  const { source, type, tactic, platform, group, kev, q } = filter
  const where: SqlPart[] = [
    filter.include_revoked === true ? sql`true` : sql`not revoked and not deprecated`,
    ...(source === undefined ? [] : [sql`source = ${source}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(tactic === undefined ? [] : [sql`${tactic} = any(tactics)`]),
    ...(platform === undefined ? [] : [sql`${platform} = any(platforms)`]),
    ...(group === undefined ? [] : [sql`${group} = any(groups)`]),
    ...(kev === undefined ? [] : [sql`(kev is not null) = ${kev}`]),
    ...(filter.epss_min === undefined ? [] : [sql`epss >= ${filter.epss_min}`]),
    ...(filter.cvss_min === undefined ? [] : [sql`cvss_score >= ${filter.cvss_min}`]),
    ...(filter.ssvc === undefined ? [] : [sql`ssvc ->> 'decision' = ${filter.ssvc}`]),
    ...(q === undefined ? [] : [namedBy(q)]),
  ]
  const found = await threats.page(tx, page, join(where, ' and '))
  return { ...found, items: found.items.map(threatView) }
}

/** The external id, a word of the name or an alias begins with it. */
function namedBy(q: string): SqlPart {
  const prefix = likePrefix(q)
  return sql`(lower(external_id) like ${prefix} or lower(name) like ${prefix} or lower(name) like ${`% ${prefix}`}
    or exists (select from unnest(aliases) as alias where lower(alias) like ${prefix}))`
}
