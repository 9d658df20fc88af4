/**
 * Values from a JSON schema: any valid one, and those at and just beyond its bounds. Ids are written as the kind of
 * resource they name, because which exist is known only when the request leaves.
 */
import fc from 'fast-check'
import { kindOf } from '../generated/samples.ts'
import { isJson, type Json, valueFor } from '../generated/schema-values.ts'
import { texts } from './hostile.ts'

export const idOf = (kind: string): string => `«${kind}»`

/** An address without a listener: requests to it fail at once. */
const nowhere = 'http://127.0.0.1:9/v1'
const namesAddress = /(?:url|uri|issuer|endpoint|origin)s?$/

const manyItems = 2_000

/** Any value of this schema. Objects have few of their optional members: with all of them nothing is ever accepted. */
export function validValue(schema: unknown, member = ''): fc.Arbitrary<unknown> {
  if (!isJson(schema)) return anything
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches)) return fc.oneof(...branches.map((branch) => validValue(branch, member)))
  if (schema.type === 'object') return objectOf(schema)
  if (schema.type === 'array') return arrayOf(schema, member)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer') return fc.integer(bounds(schema, -1_000, 1_000))
  if (schema.type === 'number') return fc.double({ ...bounds(schema, -1e6, 1e6), noNaN: true })
  if (schema.type === 'null') return fc.constant(null)
  return schema.type === 'string' ? textOf(schema, member) : anything
}

const anything = fc.oneof(fc.constantFrom(...texts), fc.jsonValue({ maxDepth: 3 }))

function bounds(schema: Json, least: number, most: number): { readonly min: number; readonly max: number } {
  const min = numberIn(schema, 'minimum') ?? numberIn(schema, 'exclusiveMinimum') ?? least
  const max = numberIn(schema, 'maximum') ?? numberIn(schema, 'exclusiveMaximum') ?? Math.max(most, min)
  return { min: Math.min(min, max), max }
}

function numberIn(schema: Json, keyword: string): number | undefined {
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}

function objectOf(schema: Json): fc.Arbitrary<unknown> {
  const properties = Object.entries(isJson(schema.properties) ? schema.properties : {})
  if (properties.length === 0) return dictionaryOf(schema)
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const made = new Map(properties.map(([name, property]) => [name, validValue(property, name)]))
  const optional = properties.map(([name]) => name).filter((name) => !required.has(name))
  return fc.subarray(optional, { maxLength: Math.min(4, optional.length) }).chain((chosen) => {
    const names = properties.map(([name]) => name).filter((name) => required.has(name) || chosen.includes(name))
    return fc.record(Object.fromEntries(names.map((name) => [name, made.get(name) ?? anything])))
  })
}

function dictionaryOf(schema: Json): fc.Arbitrary<unknown> {
  const patterns = isJson(schema.patternProperties) ? Object.entries(schema.patternProperties) : []
  const [pattern, member = schema.additionalProperties] = patterns[0] ?? []
  if (member === false) return fc.constant({})
  const name = pattern === undefined ? fc.string({ maxLength: 20 }) : textOf({ pattern, maxLength: 40 }, '')
  return fc
    .array(fc.tuple(name, validValue(member)), { maxLength: 3 })
    .map((members) => Object.fromEntries(members.filter(([key]) => key !== '__proto__')))
}

function arrayOf(schema: Json, member: string): fc.Arbitrary<unknown> {
  const minLength = numberIn(schema, 'minItems') ?? 0
  const maxLength = Math.max(minLength, Math.min(numberIn(schema, 'maxItems') ?? 3, minLength + 3))
  const item = validValue(schema.items, member)
  return schema.uniqueItems === true
    ? fc.uniqueArray(item, { minLength, maxLength, selector: (value) => JSON.stringify(value) })
    : fc.array(item, { minLength, maxLength })
}

function textOf(schema: Json, member: string): fc.Arbitrary<string> {
  if (schema.format === 'uuid')
    return fc.oneof({ weight: 5, arbitrary: fc.constant(idOf(kindOf(member))) }, { weight: 1, arbitrary: fc.uuid() })
  if (schema.format === 'email') return fc.nat(50).map((n) => `fuzz-${n}@fuzz.example`)
  if (schema.format === 'date-time')
    return fc
      .date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString())
  if (namesAddress.test(member)) return fc.constant(nowhere)
  const minLength = numberIn(schema, 'minLength') ?? 0
  const maxLength = numberIn(schema, 'maxLength') ?? 60
  if (typeof schema.pattern === 'string') return textOfPattern(schema.pattern, { schema, maxLength })
  const fitting = texts.filter((text) => text.length >= minLength && text.length <= maxLength)
  const free = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) })
  return fitting.length === 0 ? free : fc.oneof({ weight: 3, arbitrary: free }, fc.constantFrom(...fitting))
}

const byPattern = new Map<string, fc.Arbitrary<string>>()

/** Made once for each pattern: a class of all letters is a list of all letters. */
function textOfPattern(
  pattern: string,
  { schema, maxLength }: { readonly schema: Json; readonly maxLength: number },
): fc.Arbitrary<string> {
  const known = fc.constant(knownText(schema))
  const made = byPattern.get(pattern) ?? runBackwards(pattern) ?? known
  byPattern.set(pattern, made)
  return fc.oneof(made, known).map((text) => text.slice(0, maxLength))
}

function runBackwards(pattern: string): fc.Arbitrary<string> | null {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
  } catch {
    // Look-arounds cannot be.
    return null
  }
}

/** Empty where no text of this form is known: most of the others still are of it. */
function knownText(schema: Json): string {
  try {
    return String(valueFor({ type: 'string', ...schema }, { n: 1, full: false, idFor: () => '' }))
  } catch {
    return ''
  }
}

/** Values at the bounds of a schema and one step beyond them. */
export function edgesOf(schema: Json): readonly unknown[] {
  const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].flatMap((keyword) => {
    const at = numberIn(schema, keyword)
    return at === undefined ? [] : [at, at - 1, at + 1, at + 0.5]
  })
  if (schema.type === 'integer' || schema.type === 'number')
    return [...numbers, 0, -0, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e100, 1e-7, 0.1 + 0.2, '1']
  if (schema.type === 'string') return lengths(schema, 'minLength', 'maxLength').flatMap(textsOfLength)
  if (schema.type === 'array') {
    const item = edgeItem(schema)
    return lengths(schema, 'minItems', 'maxItems').map((length) => Array.from({ length }, () => item))
  }
  return [null, 'true', 1, []]
}

function lengths(schema: Json, least: string, most: string): readonly number[] {
  const at = [numberIn(schema, least), numberIn(schema, most)].filter((bound) => bound !== undefined)
  return [...new Set([0, 1, ...at.flatMap((bound) => [bound - 1, bound, bound + 1])])].filter(
    (length) => length >= 0 && length <= (schema.type === 'array' ? manyItems : 20_000),
  )
}

function textsOfLength(length: number): readonly string[] {
  // Of two code units and four bytes each: code that counts characters in another way fails here.
  return ['a'.repeat(length), '😀'.repeat(length / 2), 'é'.repeat(length)]
}

function edgeItem(schema: Json): unknown {
  try {
    return valueFor(schema.items, { n: 1, full: false, idFor: (member) => idOf(kindOf(member)) })
  } catch {
    return 'a'
  }
}

export interface Spot {
  readonly path: readonly (string | number)[]
  readonly schema: Json
}

/** Every place inside a value that its schema describes. */
export function spotsIn(schema: unknown, value: unknown, path: Spot['path'] = []): readonly Spot[] {
  if (!isJson(schema)) return []
  const inner: Spot[] = []
  for (const branch of Array.isArray(schema.anyOf) ? schema.anyOf : [])
    inner.push(...spotsIn(branch, value, path).slice(1))
  if (isJson(value) && isJson(schema.properties))
    for (const [name, property] of Object.entries(schema.properties))
      if (name in value) inner.push(...spotsIn(property, value[name], [...path, name]))
  if (Array.isArray(value) && value.length > 0) inner.push(...spotsIn(schema.items, value[0], [...path, 0]))
  return [{ path, schema }, ...inner]
}

/** The value with another one in this place. */
export function replaced(value: unknown, path: Spot['path'], other: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return other
  if (Array.isArray(value)) return value.map((item, at) => (at === step ? replaced(item, rest, other) : item))
  return isJson(value) ? { ...value, [step]: replaced(value[step], rest, other) } : value
}
