/** Integrations with their health, on request with every version and the catalog of kinds. Tested in integrations.test.ts. */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Integration, IntegrationFilter, VersionRow } from '../declared/integration-schema.ts'
import { integrations, integrationVersions } from '../declared/integration-tables.ts'
import { healthFrom, integrationView, ratesOf } from './view.ts'

export interface IntegrationList {
  readonly page: PageRequest
  readonly filter: IntegrationFilter
  readonly nowMs: number
}

/** Versions of one integration that are shown, the newest. */
const mostVersions = 50

export async function listIntegrations(tx: Tx, { page, filter, nowMs }: IntegrationList): Promise<Page<Integration>> {
  const { q, id, kind, status, versions } = filter
  const where = [
    status === undefined && id === undefined ? sql`status <> 'archived'` : sql`true`,
    ...(q === undefined ? [] : [sql`(lower(name) like ${likePrefix(q)} or lower(name) like ${`% ${likePrefix(q)}`})`]),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
  ]
  const found = await integrations.page(tx, page, join(where, ' and '))
  const ids = found.items.map((row) => row.id)
  const rates = await ratesOf(tx, nowMs, ids)
  const history = versions === true ? await versionsOf(tx, ids) : null
  return {
    ...found,
    items: found.items.map((row) => ({
      ...integrationView(row, healthFrom(row, rates)),
      ...(history === null ? {} : { versions: history.get(row.id) ?? [] }),
    })),
  }
}

type Versions = NonNullable<Integration['versions']>

async function versionsOf(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, Versions>> {
  const rows = await tx.query(sql<VersionRow>`
    select ${integrationVersions.columns} from (
      select *, row_number() over (partition by integration_id order by number desc) as place
      from platform_integration_version where integration_id = any(${[...ids]}::uuid[])) as numbered
    where place <= ${mostVersions} order by integration_id, number desc`)
  const byId = new Map<string, Versions>()
  for (const row of rows) {
    const { number, status, config, events, filter, ordered, secrets_changed, created_by, created_at } = row
    const shown = { number, status, config, events, filter, ordered, secrets_changed, created_by, created_at }
    byId.set(row.integration_id, [...(byId.get(row.integration_id) ?? []), shown])
  }
  return byId
}
