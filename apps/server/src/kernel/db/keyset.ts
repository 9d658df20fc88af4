import type { Tx } from './port.ts'
import { identifier, type SqlPart, sql } from './sql.ts'
import type { Page, PageRequest } from './table.ts'

interface PageQuery {
  readonly columns: SqlPart
  readonly from: SqlPart
  readonly where: SqlPart
  readonly request: PageRequest
  readonly total?: SqlPart | undefined
}

/**
 * Keyset page over `(sort, id)`. The total is the dearest part of a list, so it is counted with the first page of a
 * walk only; later pages get it from the signed cursor. One row more than asked for tells whether there is a next page.
 */
export async function keysetPage<Row>(tx: Tx, query: PageQuery): Promise<Page<Row>> {
  const { request, from, where, columns } = query
  const statement =
    query.total === undefined
      ? sql<{ total: number }>`select count(*)::int as total from ${from} where ${where}`
      : sql<{ total: number }>`select ${query.total} as total`
  const counted = request.total === null ? tx.first(statement) : Promise.resolve({ total: request.total })
  const rows = tx.query(
    sql<Record<string, unknown>>`
      select ${columns} from ${from}
      where ${where} and ${afterPosition(request)}
      order by ${orderBy(request)}
      limit ${request.limit + 1}`,
  )
  const [total, found] = await Promise.all([counted, rows])
  const items = found.slice(0, request.limit)
  const last = items.at(-1)
  return {
    items: items as unknown as readonly Row[],
    total: total?.total ?? 0,
    hasMore: found.length > request.limit,
    last: last === undefined ? null : { value: last[request.sort] ?? null, id: String(last.id) },
  }
}

function orderBy(request: PageRequest): SqlPart {
  const sort = identifier(request.sort)
  if (request.sort === 'id') return request.descending ? sql`id desc` : sql`id`
  return request.descending ? sql`${sort} desc, id desc` : sql`${sort}, id`
}

function afterPosition(request: PageRequest): SqlPart {
  if (request.after === null) return sql`true`
  const { value, id } = request.after
  const sort = identifier(request.sort)
  if (request.sort === 'id') return request.descending ? sql`id < ${id}` : sql`id > ${id}`
  return request.descending ? sql`(${sort}, id) < (${value}, ${id})` : sql`(${sort}, id) > (${value}, ${id})`
}
