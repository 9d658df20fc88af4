/**
 * Documents as directories send them, brought to the declared form: names in their own spelling, "True" a boolean, a
 * single value where one of several may stand. Undeclared attributes are ignored, as RFC 7644 section 3.3
 * allows. It stores nothing. Tested in patch.test.ts.
 */
import { type Attribute, attributeIn, type ResourceSchema, resolvePath } from './attributes.ts'
import { type Document, isDocument } from './match.ts'
import { scimProblem } from './problems.ts'

const mostValues = 10_000

/** A document of a POST or PUT. Read-only attributes are ignored. @throws API-001 with scimType invalidValue */
export function readDocument(schema: ResourceSchema, body: Document): Document {
  return readMembers(schema.attributes, body)
}

function readMembers(attributes: readonly Attribute[], value: Document): Document {
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const attribute = attributeIn(attributes, name)
    if (attribute === null || attribute.readOnly) return []
    const read = readValue(attribute, member)
    return read === undefined ? [] : [[attribute.name, read]]
  })
  return Object.fromEntries(members)
}

/** One attribute's value in its declared form; undefined to unset it. @throws API-001 with scimType invalidValue */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined
  if (!attribute.multiple) return readSingle(attribute, value)
  const values = (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const read = readSingle(attribute, one)
    return read === undefined ? [] : [read]
  })
  if (values.length > mostValues) throw wrong(`${attribute.name} has at most ${mostValues} values.`)
  return values.length === 0 ? undefined : onePrimary(values)
}

function readSingle(attribute: Attribute, value: unknown): unknown {
  if (attribute.type === 'complex') return readComplex(attribute, value)
  if (attribute.type === 'boolean') return readBoolean(attribute, value)
  if (typeof value !== 'string' && typeof value !== 'number') throw wrong(`${attribute.name} is text.`)
  const text = String(value)
  if (text.length > attribute.maxLength) throw wrong(`${attribute.name} has at most ${attribute.maxLength} characters.`)
  return text === '' ? undefined : text
}

/** A bare value stands for a complex one with that `value`, as Entra sends managers. */
function readComplex(attribute: Attribute, value: unknown): unknown {
  const members = isDocument(value) ? value : bareValue(attribute, value)
  const read = readMembers(attribute.sub, members)
  return Object.keys(read).length === 0 ? undefined : read
}

function bareValue(attribute: Attribute, value: unknown): Document {
  if (typeof value !== 'string' || attributeIn(attribute.sub, 'value') === null)
    throw wrong(`${attribute.name} is an object.`)
  return { value }
}

/** Entra sends "True" and "False". */
function readBoolean({ name }: Attribute, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw wrong(`${name} is true or false.`)
  return word === 'true'
}

/** Of several values marked as preferred the last one wins (RFC 7644 section 3.5.2). */
export function onePrimary(values: readonly unknown[]): readonly unknown[] {
  const last = values.findLastIndex((value) => isDocument(value) && value.primary === true)
  return values.map((value, index) =>
    isDocument(value) && value.primary === true && index !== last ? { ...value, primary: false } : value,
  )
}

export interface Projection {
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

/** The attributes a client asked for (RFC 7644 section 3.9); `id` and `schemas` are always included. */
export function project(schema: ResourceSchema, document: Document, wanted: Projection): Document {
  const named = (list: string): readonly (readonly string[])[] =>
    list
      .split(',')
      .map((name) => resolvePath(schema, name.trim())?.map((attribute) => attribute.name) ?? [])
      .filter((path) => path.length > 0)
  const always = Object.fromEntries(Object.entries(document).filter(([name]) => /^(?:id|schemas)$/.test(name)))
  if (wanted.attributes !== undefined) {
    return named(wanted.attributes).reduce<Document>((kept, path) => withPath(kept, document, path), always)
  }
  const excluded = wanted.excludedAttributes === undefined ? [] : named(wanted.excludedAttributes)
  return { ...excluded.reduce<Document>(withoutPath, document), ...always }
}

function withPath(kept: Document, from: Document, [name = '', ...rest]: readonly string[]): Document {
  const value = from[name]
  if (value === undefined) return kept
  const inside = (one: unknown, before: unknown): unknown =>
    rest.length === 0 || !isDocument(one) ? one : withPath(isDocument(before) ? before : {}, one, rest)
  const before = kept[name]
  const shown = Array.isArray(value)
    ? value.map((one, index) => inside(one, Array.isArray(before) ? before[index] : undefined))
    : inside(value, before)
  return { ...kept, [name]: shown }
}

function withoutPath(document: Document, [name = '', ...rest]: readonly string[]): Document {
  if (rest.length === 0) return Object.fromEntries(Object.entries(document).filter(([other]) => other !== name))
  const value = document[name]
  const inside = (one: unknown): unknown => (isDocument(one) ? withoutPath(one, rest) : one)
  return value === undefined
    ? document
    : { ...document, [name]: Array.isArray(value) ? value.map(inside) : inside(value) }
}

function wrong(what: string) {
  return scimProblem('invalidValue', what)
}
