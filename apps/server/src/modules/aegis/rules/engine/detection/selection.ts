/**
 * Selections: maps of fields (all have to match), lists of maps (any), and lists of words that are looked for in all texts
 * of an event. Pure. Tested in detection.test.ts.
 */
import { fieldGetter, type RuleRecord } from '../base/record.ts'
import { RuleRefusal, segment } from '../base/refusal.ts'
import { type FieldKey, readKey } from './modifiers.ts'
import { allOf, anyOf, type Compiled, noAnchors, type Predicate } from './predicate.ts'
import { lowerCase, type Scalar, textOf, type ValueTest, valueTest } from './values.ts'
import { literalOf, wildcardTest } from './wildcard.ts'

const mostValues = 1_000
const mostDepth = 6

/** @throws RuleRefusal */
export function compileSelection(selection: unknown, pointer: string, depth = 1): Compiled {
  if (depth > mostDepth) throw new RuleRefusal('selection', pointer, 'The selection is nested too deep.')
  if (Array.isArray(selection)) return compileList(selection, pointer, depth)
  if (isMap(selection)) return compileMap(selection, pointer)
  if (isScalar(selection) && selection !== null) return keyword(selection)
  throw new RuleRefusal('selection', pointer, 'A selection is a map of fields, a list of maps or a list of words.')
}

function compileList(items: readonly unknown[], pointer: string, depth: number): Compiled {
  if (items.length === 0) throw new RuleRefusal('selection', pointer, 'The selection is empty.')
  refuseTooMany(items, pointer)
  return anyOf(items.map((item, index) => compileSelection(item, pointer + segment(index), depth + 1)))
}

function compileMap(map: Readonly<Record<string, unknown>>, pointer: string): Compiled {
  const entries = Object.entries(map)
  if (entries.length === 0) throw new RuleRefusal('selection', pointer, 'The selection is empty.')
  return allOf(entries.map(([key, value]) => compileField(key, value, pointer + segment(key))))
}

function compileField(written: string, value: unknown, pointer: string): Compiled {
  const key = readKey(written, pointer)
  const values = Array.isArray(value) ? value : [value]
  refuseTooMany(values, pointer)
  const scalars = values.map((item, index) => scalarOf(item, Array.isArray(value) ? pointer + segment(index) : pointer))
  if (key.field === '') return keywords(key, scalars, pointer)
  if (key.comparison === 'exists') return existence(key, scalars, pointer)
  if (key.fieldref) return reference(key, scalars, pointer)
  const plain = plainValues(key, scalars)
  if (plain !== null) return equality(key.field, plain)
  const tests = scalars.map((scalar, index) =>
    valueTest(key, scalar, pointer + (values.length > 1 ? segment(index) : '')),
  )
  return { holds: fieldTest(key, tests), anchors: noAnchors }
}

/** Lists of an event match where any of their values does; with `all`, each test may be met by another one. */
function fieldTest({ field, all }: FieldKey, tests: readonly ValueTest[]): Predicate {
  const read = fieldGetter(field)
  const met =
    (value: unknown) =>
    (test: ValueTest): boolean =>
      Array.isArray(value) ? value.some((item) => test(item)) : test(value)
  return all ? (record) => tests.every(met(read(record))) : (record) => tests.some(met(read(record)))
}

/** The lower-case values where nothing but equality of any of them is asked for: then one look-up does. */
function plainValues(key: FieldKey, scalars: readonly Scalar[]): ReadonlySet<string> | null {
  const isPlain = key.comparison === 'equals' && !key.cased && !key.windash && key.encoding === null
  if (!isPlain || (key.all && scalars.length > 1)) return null
  const literals = scalars.map((scalar) => (scalar === null ? null : literalOf(String(scalar))))
  return literals.every((literal) => literal !== null)
    ? new Set(literals.map((literal) => literal.toLowerCase()))
    : null
}

function equality(field: string, values: ReadonlySet<string>): Compiled {
  const read = fieldGetter(field)
  const has = (value: unknown): boolean => {
    const text = textOf(value)
    return text !== null && values.has(lowerCase(text))
  }
  return {
    holds: (record) => {
      const value = read(record)
      return Array.isArray(value) ? value.some(has) : has(value)
    },
    anchors: new Map([[field, values]]),
  }
}

function existence({ field }: FieldKey, [wanted]: readonly Scalar[], pointer: string): Compiled {
  if (typeof wanted !== 'boolean') throw new RuleRefusal('exists', pointer, 'The modifier exists needs true or false.')
  const read = fieldGetter(field)
  return { holds: (record) => (read(record) !== undefined) === wanted, anchors: noAnchors }
}

/** Compares with another field of the same event. */
function reference(key: FieldKey, scalars: readonly Scalar[], pointer: string): Compiled {
  const read = fieldGetter(key.field)
  const fold = (value: unknown): string | null => (key.cased ? textOf(value) : (textOf(value)?.toLowerCase() ?? null))
  const others = scalars.map((scalar) => {
    if (typeof scalar !== 'string') throw new RuleRefusal('fieldref', pointer, 'The modifier fieldref needs a field.')
    return fieldGetter(scalar)
  })
  const compare = {
    equals: (one: string, other: string) => one === other,
    contains: (one: string, other: string) => one.includes(other),
    startswith: (one: string, other: string) => one.startsWith(other),
    endswith: (one: string, other: string) => one.endsWith(other),
  }[key.comparison as 'equals' | 'contains' | 'startswith' | 'endswith']
  const holds: Predicate = (record) => {
    const own = fold(read(record))
    if (own === null) return false
    const met = others.map((other) => fold(other(record))).map((text) => text !== null && compare(own, text))
    return key.all ? met.every(Boolean) : met.some(Boolean)
  }
  return { holds, anchors: noAnchors }
}

/** `'|all': […]`: every word has to occur. */
function keywords(key: FieldKey, scalars: readonly Scalar[], pointer: string): Compiled {
  if (key.comparison !== 'equals' || key.fieldref || key.encoding !== null || key.windash)
    throw new RuleRefusal('keywords', pointer, 'Words without a field take no modifier but all.')
  const parts = scalars.flatMap((scalar) => (scalar === null ? [] : [keyword(scalar)]))
  return key.all ? allOf(parts) : anyOf(parts)
}

function keyword(word: string | number | boolean): Compiled {
  const test = wildcardTest(String(word).toLowerCase(), { start: true, end: true })
  return { holds: ({ data }: RuleRecord) => occursIn(data, test, 0), anchors: noAnchors }
}

function occursIn(value: unknown, test: (text: string) => boolean, depth: number): boolean {
  const text = textOf(value)
  if (text !== null) return test(text.toLowerCase())
  if (typeof value !== 'object' || value === null || depth > 16) return false
  return Object.values(value).some((member) => occursIn(member, test, depth + 1))
}

function refuseTooMany(values: readonly unknown[], pointer: string): void {
  if (values.length > mostValues)
    throw new RuleRefusal('values', pointer, `There are ${values.length} values; ${mostValues} are allowed.`)
  if (values.length === 0) throw new RuleRefusal('values', pointer, 'There are no values.')
}

function scalarOf(value: unknown, pointer: string): Scalar {
  if (isScalar(value)) return value
  throw new RuleRefusal('value', pointer, 'A value is a text, a number, true, false or null.')
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
