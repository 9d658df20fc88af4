/**
 * Every place where a route takes an id: in its path, its query, its body. Ids with the form of a UUID are found in the
 * schemas; ids that travel as plain text are listed by their modules. It promises that a member that looks like an id and is
 * in neither fails the suite, so that a new route adds its own cases. Tested by matrix.test.ts.
 */
import { type DeclaredRoute, querySchema } from '../generated/manifest.ts'
import { casesAmong, casesOf, type Ids, type NamedId } from '../generated/module-cases.ts'
import { kindOf, sampleBody } from '../generated/samples.ts'
import type { Json } from '../generated/schema-values.ts'
import { type Place, placesIn } from '../generated/schema-walk.ts'

export interface IdPlace {
  /** `path role_id`, `query/owner_id`, `body/role_ids[]` */
  readonly where: string
  /** The path parameter that addresses this kind of resource. */
  readonly kind: string
  readonly part: 'path' | 'query' | 'body'
  /** The query or the members of the body that carry the id. */
  readonly with: (id: string) => Json
  /** The caller's words, kept as they are: nothing is looked up, so nothing can be told. */
  readonly verbatim: boolean
  /** Whether an id of one's own gives another answer than an id that nothing has. */
  readonly shows: boolean
}

const byHand = casesOf('idPlaces')

/** Members whose names look like ids and that name nothing that is stored with an id. */
const noIds = casesAmong('noIds')

const constant = casesAmong('constants')

/** Whether everybody gets the same answer there. */
export const isConstant = ({ params }: DeclaredRoute): boolean => params.some((name) => constant.has(name))

const looksLikeId = /(?:^|[_/])(?:id|ids|for|value|except)(?:\[\])?$/
const insidePolicy = /\/document\//

/** Every place of a route that takes an id. @throws Error for a place without a known kind */
export function idPlaces(declared: DeclaredRoute): readonly IdPlace[] {
  const query = querySchema(declared)
  const inBody = declared.route.body === null ? [] : textsIn(placesIn(declared.route.body, 'body'))
  return [
    ...declared.params
      .filter((name) => !constant.has(name))
      .map((name) => place(`path ${name}`, 'path', { kind: name, with: () => ({}) })),
    ...(query === null ? [] : textsIn(placesIn(query, 'query')).flatMap((at) => placeOf(declared, at, 'query'))),
    ...inBody.flatMap((at) => placeOf(declared, at, 'body')),
  ]
}

const textsIn = (places: readonly Place[]): readonly Place[] =>
  places.filter(({ schema }) => schema.type === 'string' && !('enum' in schema) && !('const' in schema))

function place(where: string, part: IdPlace['part'], by: NamedId): IdPlace {
  return { where, part, kind: by.kind, with: by.with, verbatim: by.verbatim ?? false, shows: by.shows ?? true }
}

function placeOf(declared: DeclaredRoute, { where, schema }: Place, part: 'query' | 'body'): readonly IdPlace[] {
  const name = `${declared.name} ${where}`
  const listed = byHand[name]
  if (listed !== undefined) return [place(where, part, listed)]
  const top = /^(?:query|body)\/(\w+)(\[\])?$/.exec(where)
  if (schema.format === 'uuid' && top !== null) {
    const [, member = '', many] = top
    return [place(where, part, { kind: kindOf(member), with: (id) => ({ [member]: many === undefined ? id : [id] }) })]
  }
  const unspoken = schema.format === 'uuid' || looksLikeId.test(where)
  if (unspoken && !noIds.has(name) && !insidePolicy.test(where))
    throw new Error(`${name} looks like an id: say in idPlaces of its module’s testing/cases.ts what it names`)
  return []
}

export interface Wanted {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The call with this id in this place; everything else is the caller's own. */
export function callWith(
  declared: DeclaredRoute,
  at: IdPlace,
  given: { readonly id: string; readonly own: Ids },
): Wanted {
  const { id, own } = given
  const ids = at.part === 'path' ? { ...own, [at.kind]: id } : own
  const path = declared.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '')
  const body = sampleBody(declared, own)
  const query = Object.entries(at.part === 'query' ? at.with(id) : {}).map(([name, value]) => [name, String(value)])
  return {
    path,
    query: Object.fromEntries(query),
    body: at.part === 'body' ? { ...body, ...at.with(id) } : body,
  }
}

/** Handwritten places of members that no longer exist. */
export function unusedPlaces(routes: readonly DeclaredRoute[]): readonly string[] {
  const known = new Set(
    routes.flatMap((declared) => {
      const query = querySchema(declared)
      const places = [...placesIn(declared.route.body, 'body'), ...(query === null ? [] : placesIn(query, 'query'))]
      return places.map(({ where }) => `${declared.name} ${where}`)
    }),
  )
  return [...Object.keys(byHand), ...noIds].filter((name) => !known.has(name))
}
