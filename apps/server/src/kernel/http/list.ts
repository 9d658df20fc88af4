import type { TObject } from 'typebox'
import Type from 'typebox'
import type { Page, PageRequest } from '../db/table.ts'
import type { ListDeclaration, Route } from '../module/route.ts'
import { type Answer, type PageFileAnswer, StreamAnswer, Versioned } from '../module/route-answers.ts'
import type { Serialize } from '../schema/serializers.ts'
import { oneOf } from '../schema/types.ts'
import { type AnswerFacts, envelope } from './answer/envelope.ts'
import { etagOf } from './answer/etag.ts'
import type { CursorCodec, CursorScope } from './cursor.ts'
import type { StoredAnswer } from './idempotency.ts'

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

/** A page in its envelope, with the way to the next one. */
export function listAnswer(
  call: AnswerFacts,
  answer: Answer<unknown>,
  how: { readonly serialize: Serialize; readonly walk: ListWalk; readonly cursors: CursorCodec },
): StoredAnswer {
  const page = answer.data as Page<unknown>
  const pagination = {
    cursor: how.cursors.encode(how.walk.scope, page),
    limit: how.walk.page.limit,
    has_more: page.hasMore,
    total_count: page.total,
  }
  return {
    status: 200,
    headers: { ...answer.headers },
    body: envelope(how.serialize(page.items.map(withTag)), call, { pagination, ...answer.meta }),
  }
}

/** A part of a list as a file, with the way to the next one in a header. */
export function withNextCursor(
  { contentType, chunks, headers, end }: PageFileAnswer,
  { walk, cursors }: { readonly walk: ListWalk; readonly cursors: CursorCodec },
): StreamAnswer {
  const next = cursors.encode(walk.scope, { items: [], ...end })
  return new StreamAnswer(contentType, chunks, next === null ? headers : { ...headers, 'x-next-cursor': next })
}

/** An item with the tag it may be changed at, as if it had been read alone. */
function withTag(item: unknown): unknown {
  if (!(item instanceof Versioned)) return item
  return { ...item.data, etag: etagOf(item.version, JSON.stringify(item.data)) }
}
