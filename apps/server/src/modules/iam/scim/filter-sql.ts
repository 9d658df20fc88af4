/**
 * A filter as a condition over a `jsonb` document. Names come from the attribute maps, values travel as parameters, and
 * every condition is true or false, never null, so that `not` means not. Tested against match.ts in filter-sql.test.ts.
 */
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Attribute } from './attributes.ts'
import type { Comparison, Filter } from './filter.ts'
import { folded } from './match.ts'

/** Says for an attribute how equality is looked up by an index instead. */
export type IndexedEquality = (name: string, value: string) => SqlPart | null

export interface FilterTarget {
  /** The expression of the document. */
  readonly document: SqlPart
  readonly indexed?: IndexedEquality
}

export function filterSql(filter: Filter, target: FilterTarget): SqlPart {
  switch (filter.op) {
    case 'and':
    case 'or':
      return sql`(${join(
        filter.parts.map((part) => filterSql(part, target)),
        filter.op === 'and' ? ' and ' : ' or ',
      )})`
    case 'not':
      return sql`(not ${filterSql(filter.part, target)})`
    case 'some':
      return sql`exists (
        select from jsonb_array_elements(${target.document} -> ${filter.path[0].name}::text) as element (value)
        where ${filterSql(filter.part, { document: sql`element.value` })})`
    case 'pr':
      return along(filter.path, target.document, present)
    case 'ne':
      return sql`(not ${filterSql({ ...filter, op: 'eq' }, target)})`
    default: {
      const [first] = filter.path
      if (filter.op === 'eq' && filter.path.length === 1 && typeof filter.value === 'string') {
        const indexed = target.indexed?.(first.name, filter.value) ?? null
        if (indexed !== null) return indexed
      }
      const { op, value } = filter
      return along(filter.path, target.document, (base, rest) => compared(op, { base, rest, value }))
    }
  }
}

type Leaf = (base: SqlPart, rest: readonly Attribute[]) => SqlPart

/** A multi-valued attribute can only stand first; the rest of the path is tested on each of its elements. */
function along(path: readonly Attribute[], document: SqlPart, leaf: Leaf): SqlPart {
  const [first, ...rest] = path
  if (first?.multiple !== true) return leaf(document, path)
  return sql`exists (
    select from jsonb_array_elements(${document} -> ${first.name}::text) as element (value)
    where ${leaf(sql`element.value`, rest)})`
}

const namesOf = (path: readonly Attribute[]): readonly string[] => path.map(({ name }) => name)

const present: Leaf = (base, rest) => sql`coalesce(${base} #>> ${namesOf(rest)}::text[], '') not in ('', '{}')`

interface Compare {
  readonly base: SqlPart
  readonly rest: readonly Attribute[]
  readonly value: string | boolean
}

function compared(op: Comparison, { base, rest, value }: Compare): SqlPart {
  const text = sql`(${base} #>> ${namesOf(rest)}::text[])`
  if (typeof value === 'boolean') return sql`coalesce(${text} = ${String(value)}, false)`
  const exact = rest.at(-1)?.exact ?? false
  const left = exact ? sql`${text} collate "C"` : sql`lower(${text} collate "C")`
  return sql`coalesce(${operation(op, left, folded({ exact }, value))}, false)`
}

function operation(op: Comparison, left: SqlPart, right: string): SqlPart {
  switch (op) {
    case 'co':
      return sql`strpos(${left}, ${right}) > 0`
    case 'sw':
      return sql`starts_with(${left}, ${right})`
    case 'ew':
      return sql`right(${left}, ${[...right].length}) = ${right}`
    case 'gt':
      return sql`${left} > ${right}`
    case 'ge':
      return sql`${left} >= ${right}`
    case 'lt':
      return sql`${left} < ${right}`
    case 'le':
      return sql`${left} <= ${right}`
    default:
      return sql`${left} = ${right}`
  }
}
