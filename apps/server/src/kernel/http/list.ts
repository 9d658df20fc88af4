import Type, { type TObject } from 'typebox'
import type { PageRequest } from '../db/table.ts'
import type { ListDeclaration, Route } from '../module/route.ts'
import { oneOf } from '../schema/types.ts'
import type { CursorCodec, CursorScope } from './cursor.ts'

const defaultLimit = 50
const maxLimit = 200

/** The query of a list: its own filters and the three that every list has. */
export function listQuery(list: ListDeclaration, filters: TObject | null): TObject {
  const sorts = list.table.sorts.flatMap((column) => [column, `-${column}`])
  return Type.Object(
    {
      ...filters?.properties,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, description: `Default ${defaultLimit}.` })),
      cursor: Type.Optional(Type.String({ maxLength: 8000, description: 'From the page before.' })),
      sort: Type.Optional(oneOf(...sorts)),
    },
    { additionalProperties: false },
  )
}

export interface ListWalk {
  readonly page: PageRequest
  readonly scope: CursorScope
  readonly filters: Record<string, unknown>
}

/** Splits a list's query into its filters and where the page begins. @throws API-003 */
export function beginPage(
  cursors: CursorCodec,
  where: { readonly route: Route; readonly path: string; readonly tenantId: string },
  query: Readonly<Record<string, unknown>>,
): ListWalk {
  const { limit, cursor, sort, ...filters } = query
  const order = typeof sort === 'string' ? sort : (where.route.list?.default ?? '-id')
  const scope = { tenantId: where.tenantId, route: where.path, sort: order, filters }
  const position = typeof cursor === 'string' ? cursors.decode(scope, cursor) : { after: null, total: null }
  const descending = order.startsWith('-')
  return {
    scope,
    filters,
    page: {
      limit: typeof limit === 'number' ? limit : defaultLimit,
      sort: descending ? order.slice(1) : order,
      descending,
      ...position,
    },
  }
}
