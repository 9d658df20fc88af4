/** People and groups, one or many, as a directory is answered. Tested in scim.test.ts. */
import { Answer, Versioned } from '../../../kernel/module/route.ts'
import { groupSchema, type ResourceSchema, userSchema } from './attributes.ts'
import type { Directory } from './caller.ts'
import type { Projection } from './document.ts'
import { parseFilter } from './filter.ts'
import { countGroups, findGroups, type GroupRow } from './groups.ts'
import type { Document } from './match.ts'
import { countPeople, findPeople, groupsOf, type PersonRow } from './people.ts'
import { entityTag, type ListQuery, listOf, pageWish, resourceOf } from './resource.ts'

async function people(
  { tx, services }: Directory,
  rows: readonly PersonRow[],
  wanted: Projection,
): Promise<readonly Answer<Document>[]> {
  const ids = rows.map(({ id }) => id)
  const groups = await groupsOf(tx, ids)
  return rows.map((row) => {
    const of = groups(row.id)
    const document = of.length === 0 ? row.document : { ...row.document, groups: of }
    const resource = resourceOf(services.kernel, userSchema, { row, document, wanted })
    return tagged(resource, { row, document })
  })
}

function tagged(
  resource: Document,
  of: { readonly row: Pick<PersonRow, 'version'>; readonly document: Document },
): Answer<Document> {
  return new Versioned(resource, of.row.version, { headers: { etag: entityTag(of.row, of.document) } })
}

export async function person(directory: Directory, row: PersonRow, wanted: Projection): Promise<Answer<Document>> {
  const [resource = new Answer<Document>({})] = await people(directory, [row], wanted)
  return resource
}

export function group({ services }: Directory, row: GroupRow, wanted: Projection): Answer<Document> {
  const { document } = row
  return tagged(resourceOf(services.kernel, groupSchema, { row, document, wanted }), { row, document })
}

const shownOf = (answers: readonly Answer<Document>[]): readonly Document[] => answers.map(({ data }) => data)

/** Inputs of every list: the filter, the start of the page and the scope its cursors are bound to. */
function listing({ tx, services }: Directory, schema: ResourceSchema, query: ListQuery) {
  const filter = query.filter === undefined ? null : parseFilter(schema, query.filter)
  const scope = [tx.tenantId, schema.name, query.filter ?? '']
  return { filter, scope, wish: pageWish(services.kernel, scope, query) }
}

export async function listPeople(directory: Directory, query: ListQuery): Promise<Document> {
  const { filter, scope, wish } = listing(directory, userSchema, query)
  const total = await countPeople(directory.tx, filter)
  const rows = await findPeople(directory.tx, filter, wish)
  return listOf(directory.services.kernel, { scope, wish, total }, shownOf(await people(directory, rows, query)))
}

export async function listGroups(directory: Directory, query: ListQuery): Promise<Document> {
  const { filter, scope, wish } = listing(directory, groupSchema, query)
  const total = await countGroups(directory.tx, filter)
  const rows = await findGroups(directory.tx, filter, wish)
  const shown = shownOf(rows.map((row) => group(directory, row, query)))
  return listOf(directory.services.kernel, { scope, wish, total }, shown)
}
