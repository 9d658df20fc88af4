/** Discovered services as a list, a table and a block list. Tested in services.test.ts. */
import { isUuid } from '../../../../kernel/base/uuid.ts'
import { likePrefix } from '../../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../../kernel/db/table.ts'
import { csvLine } from '../../../../kernel/http/body/csv.ts'
import { FileAnswer, Versioned } from '../../../../kernel/module/route.ts'
import type { Service, ServiceFilter, ServiceRow } from '../declared/service-schema.ts'
import { services } from '../declared/tables.ts'
import { entryInForce, tenantEntries } from '../declared/tenant-catalog.ts'
import { type BlockedService, blockList } from './block-list.ts'

/** Services of one file at most. */
const mostInFile = 50_000

export const fileForms = ['text/csv', 'text/plain'] as const
export type FileForm = (typeof fileForms)[number]

export function serviceView({ version: _version, key: _key, tolerated_until: _until, ...shown }: ServiceRow): Service {
  return shown
}

export interface List {
  readonly page: PageRequest
  readonly filter: ServiceFilter
}

export async function listServices(tx: Tx, { page, filter }: List): Promise<Page<Versioned<Service>>> {
  const found = await services.page(tx, page, conditionOf(filter))
  return { ...found, items: found.items.map((row) => new Versioned(serviceView(row), row.version)) }
}

function conditionOf({ status, type, risk_min: risk, department, user, q }: ServiceFilter): SqlPart {
  const where: SqlPart[] = [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(risk === undefined ? [] : [sql`risk_score >= ${risk}`]),
    ...(department === undefined ? [] : [sql`${department} = any(departments)`]),
    ...(user === undefined ? [] : [usedBy(user)]),
    ...(q === undefined ? [] : [namedBy(q)]),
  ]
  return where.length === 0 ? sql`true` : join(where, ' and ')
}

const usedBy = (user: string): SqlPart => sql`exists (
  select from aegis_shadow_ai_use used where used.service_id = aegis_shadow_ai_service.id
    and ${isUuid(user) ? sql`used.user_id = ${user}` : sql`used.user_name = ${user}`})`

function namedBy(q: string): SqlPart {
  const prefix = likePrefix(q)
  return sql`(lower(name) like ${prefix} or exists (select from unnest(hosts_seen) host where host like ${prefix}))`
}

export interface Download {
  readonly filter: ServiceFilter
  readonly form: FileForm
}

/** The services that match, as a table or as a block list of their hosts, the riskiest first. */
export async function downloadServices(tx: Tx, { filter, form }: Download): Promise<FileAnswer> {
  const rows = await tx.query(sql<ServiceRow>`
    select ${services.columns} from aegis_shadow_ai_service where ${conditionOf(filter)}
    order by risk_score desc, id limit ${mostInFile}`)
  if (form === 'text/csv') return file('text/csv', 'shadow-ai-services.csv', tableOf(rows))
  const format = filter.format ?? 'hosts'
  return file('text/plain', `shadow-ai.${format}`, blockList(format, await blockedOf(tx, rows)))
}

const file = (type: FileForm, name: string, text: string): FileAnswer => {
  const bytes = Buffer.from(text)
  const contentType = `${type}; charset=utf-8`
  return new FileAnswer({ contentType, name, bytes: bytes.byteLength }, once(bytes))
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const columns = [
  ...(['id', 'name', 'type', 'catalog_slug', 'status', 'risk_score', 'inherent', 'exposure', 'users'] as const),
  ...(['requests', 'bytes_up', 'bytes_down', 'first_seen', 'last_seen'] as const),
] as const

const tableOf = (rows: readonly ServiceRow[]): string =>
  [
    csvLine([...columns, 'departments', 'hosts_seen']),
    ...rows.map((row) =>
      csvLine([...columns.map((column) => row[column]), row.departments.join(' '), row.hosts_seen.join(' ')]),
    ),
  ].join('')

async function blockedOf(tx: Tx, rows: readonly ServiceRow[]): Promise<readonly BlockedService[]> {
  const entries = await tenantEntries(tx)
  return rows.map(({ name, catalog_slug: slug, hosts_seen: seen }) => ({
    ...{ name, seen },
    hosts: entryInForce(entries, slug)?.hosts ?? [],
  }))
}
