/** Resources and lists in the form SCIM clients read, with paging by index and by cursor (RFC 7644, RFC 9865). */
import Type, { type Static } from 'typebox'
import { etagOf } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import type { ResourceSchema } from './attributes.ts'
import { type Projection, project } from './document.ts'
import { type Document, isDocument } from './match.ts'
import { scimProblem } from './problems.ts'

export const defaultCount = 100
export const maxCount = 200
/** Deeper into a list only a cursor leads: an index makes the database count through all that is before it. */
const deepestIndex = 100_000

const Names = Type.String({ maxLength: 2_000, description: 'Attribute names, separated by commas' })

export const ProjectionQuery = strictObject({
  attributes: Type.Optional(Names),
  excludedAttributes: Type.Optional(Names),
})

const whole = { minimum: -2_147_483_648, maximum: 2_147_483_647 }

/** Descriptions of the server are complete (RFC 7644 section 4): the other list parameters are ignored. */
export const DiscoveryQuery = strictObject({
  filter: Type.Optional(Type.String({ maxLength: 8_000, description: 'Not possible here: 403' })),
  attributes: Type.Optional(Names),
  excludedAttributes: Type.Optional(Names),
  startIndex: Type.Optional(Type.Integer(whole)),
  count: Type.Optional(Type.Integer(whole)),
  sortBy: Type.Optional(Type.String({ maxLength: 200 })),
  sortOrder: Type.Optional(Type.String({ maxLength: 20 })),
})

export const ListQuery = strictObject({
  ...ProjectionQuery.properties,
  filter: Type.Optional(Type.String({ maxLength: 8_000 })),
  startIndex: Type.Optional(Type.Integer({ ...whole, description: 'From 1; less is 1' })),
  count: Type.Optional(Type.Integer({ ...whole, description: `At most ${maxCount}; less than 0 is 0` })),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: 'Empty for the first page (RFC 9865)' })),
  sortBy: Type.Optional(Type.String({ maxLength: 200, description: 'Not supported; results are ordered by id' })),
  sortOrder: Type.Optional(Type.String({ maxLength: 20 })),
})
export type ListQuery = Static<typeof ListQuery>

/** A body whose form the standard fixes; it is read by attribute maps. */
export const ScimBody = Type.Unsafe<Document>(
  Type.Object({ schemas: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 })) }),
)

export const ScimResource = Type.Unsafe<Document>(
  Type.Object({
    schemas: Type.Array(Type.String()),
    id: Type.String(),
    meta: Type.Optional(
      Type.Object({
        resourceType: Type.String(),
        location: Type.String(),
        created: Type.String(),
        lastModified: Type.String(),
        version: Type.String(),
      }),
    ),
  }),
)

export const ScimList = Type.Unsafe<Document>(
  Type.Object({
    schemas: Type.Array(Type.String()),
    totalResults: Type.Integer(),
    itemsPerPage: Type.Integer(),
    startIndex: Type.Optional(Type.Integer()),
    nextCursor: Type.Optional(Type.String()),
    Resources: Type.Array(Type.Object({})),
  }),
)

export const root = '/scim/v2'

interface Stored {
  readonly id: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/**
 * The entity tag, which `meta.version` and the header have to share (RFC 7643 section 3.1): the row's version, which
 * `If-Match` looks at, and a digest of all that is shown, because groups and names of members change without the row.
 */
export function entityTag({ version }: Pick<Stored, 'version'>, document: Document): string {
  return `W/${etagOf(version, JSON.stringify(document))}`
}

/** Members and groups with the address where each is. */
function withAddresses(kernel: Pick<Kernel, 'config'>, document: Document, list: 'members' | 'groups'): Document {
  const listed = document[list]
  if (!Array.isArray(listed)) return document
  const place = `${kernel.config.publicUrl}${root}/${list === 'members' ? 'Users' : 'Groups'}`
  const addressed = listed.filter(isDocument).map((one) => ({ ...one, $ref: `${place}/${String(one.value)}` }))
  return { ...document, [list]: addressed }
}

export function resourceOf(
  kernel: Pick<Kernel, 'config'>,
  schema: ResourceSchema,
  shown: { readonly row: Stored; readonly document: Document; readonly wanted: Projection },
): Document {
  const { row, document, wanted } = shown
  const extensions = Object.keys(document).filter((name) => name.startsWith('urn:'))
  const all = {
    ...withAddresses(kernel, document, schema.name === 'User' ? 'groups' : 'members'),
    schemas: [schema.core, ...extensions],
    id: row.id,
    meta: {
      resourceType: schema.name,
      location: `${kernel.config.publicUrl}${root}${schema.endpoint}/${row.id}`,
      created: row.created_at,
      lastModified: row.updated_at,
      version: entityTag(row, document),
    },
  }
  return project(schema, all, wanted)
}

export interface PageWish {
  readonly after: string | null
  readonly offset: number
  readonly limit: number
  /** Null where the client pages by cursor. */
  readonly startIndex: number | null
}

type Signer = Pick<Kernel, 'platformKeys'>

/** @throws API-001 with scimType invalidCursor or tooMany */
export function pageWish(kernel: Signer, scope: readonly string[], query: ListQuery): PageWish {
  const limit = Math.max(0, Math.min(query.count ?? defaultCount, maxCount))
  if (query.cursor === undefined) {
    const startIndex = Math.max(1, query.startIndex ?? 1)
    if (startIndex > deepestIndex) throw scimProblem('tooMany', `Beyond ${deepestIndex} results, page by cursor.`)
    return { after: null, offset: startIndex - 1, limit, startIndex }
  }
  if (query.startIndex !== undefined) throw scimProblem('invalidCursor', 'startIndex and cursor exclude each other.')
  return {
    after: query.cursor === '' ? null : openCursor(kernel, scope, query.cursor),
    offset: 0,
    limit,
    startIndex: null,
  }
}

function openCursor(kernel: Signer, scope: readonly string[], cursor: string): string {
  const [id = '', mac = ''] = cursor.split('.')
  if (mac !== cursorMac(kernel, scope, id))
    throw scimProblem('invalidCursor', 'The cursor was not issued for this list.')
  return id
}

function cursorMac({ platformKeys }: Signer, scope: readonly string[], id: string): string {
  return platformKeys.mac('scim-cursor', JSON.stringify([...scope, id]))
}

const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export function listOf(
  kernel: Signer,
  page: { readonly scope: readonly string[]; readonly wish: PageWish; readonly total: number },
  resources: readonly Document[],
): Document {
  const { scope, wish, total } = page
  const last = resources.at(-1)?.id
  // A page that is full may be the last one; then the next page is empty, which RFC 9865 allows.
  const goesOn = wish.startIndex === null && resources.length === wish.limit && typeof last === 'string'
  return {
    schemas: [listUrn],
    totalResults: total,
    itemsPerPage: resources.length,
    ...(wish.startIndex === null ? {} : { startIndex: wish.startIndex }),
    ...(goesOn ? { nextCursor: `${last}.${cursorMac(kernel, scope, last)}` } : {}),
    Resources: resources,
  }
}
