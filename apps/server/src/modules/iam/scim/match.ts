/**
 * Whether a document meets a filter, in memory: for the value paths of patches, and as what the SQL of filter-sql.ts
 * must agree with. A missing value equals nothing, so `ne` holds for it. Tested in filter.test.ts.
 */
import type { Attribute, AttributePath } from './attributes.ts'
import type { Filter } from './filter.ts'

export type Document = Readonly<Record<string, unknown>>

export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function matches(filter: Filter, document: Document): boolean {
  switch (filter.op) {
    case 'and':
      return filter.parts.every((part) => matches(part, document))
    case 'or':
      return filter.parts.some((part) => matches(part, document))
    case 'not':
      return !matches(filter.part, document)
    case 'some':
      return elementsAt(document, filter.path[0]).some((element) => matches(filter.part, element))
    case 'pr':
      return valuesAt(document, filter.path).some(isPresent)
    case 'ne':
      return !matches({ ...filter, op: 'eq' }, document)
    default: {
      const attribute = filter.path.at(-1) ?? filter.path[0]
      return valuesAt(document, filter.path).some((value) => holds(filter, attribute, value))
    }
  }
}

function elementsAt(document: Document, { name }: Attribute): readonly Document[] {
  const value = document[name]
  return Array.isArray(value) ? value.filter(isDocument) : []
}

/** Every value the path leads to; a multi-valued attribute on the way makes it several. */
function valuesAt(document: Document, path: readonly Attribute[]): readonly unknown[] {
  const [first, ...rest] = path
  if (first === undefined) return [document]
  const value = document[first.name]
  if (value === undefined || value === null) return []
  const each: readonly unknown[] = first.multiple && Array.isArray(value) ? value : [value]
  return rest.length === 0 ? each : each.filter(isDocument).flatMap((inner) => valuesAt(inner, rest))
}

function isPresent(value: unknown): boolean {
  return isDocument(value) ? Object.keys(value).length > 0 : value !== ''
}

type Compared = Extract<Filter, { readonly value: string | boolean }>

function holds({ op, value: wanted }: Compared, attribute: Attribute, value: unknown): boolean {
  if (typeof wanted === 'boolean') return value === wanted
  if (typeof value !== 'string') return false
  const [left, right] = [folded(attribute, value), folded(attribute, wanted)]
  switch (op) {
    case 'eq':
      return left === right
    case 'co':
      return left.includes(right)
    case 'sw':
      return left.startsWith(right)
    case 'ew':
      return left.endsWith(right)
    default:
      return ordered(op, Buffer.compare(Buffer.from(left), Buffer.from(right)))
  }
}

function ordered(op: Compared['op'], order: number): boolean {
  if (op === 'gt') return order > 0
  if (op === 'ge') return order >= 0
  if (op === 'lt') return order < 0
  return op === 'le' && order <= 0
}

/** Case folding in ASCII only, like the database in the collation C, whatever its own locale is. */
export function folded({ exact }: Pick<Attribute, 'exact'>, text: string): string {
  return exact ? text : text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())
}

/** The attributes that a path without its last part leads through are what `AttributePath` begins with. */
export function nameOf(path: AttributePath): string {
  return path.map(({ name }) => name).join('.')
}
