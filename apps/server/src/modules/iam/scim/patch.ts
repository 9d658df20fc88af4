/**
 * SCIM patches (RFC 7644 section 3.5.2) as the large directories send them: `Add` and `add`, no path, dotted names and
 * URNs without a path, value paths, members to remove given as a value. Pure: a document in, a new one out, and nothing
 * of a patch that has a fault. Tested in patch.test.ts and with whole conversations in dialects.test.ts.
 */
import { type Attribute, type AttributePath, type ResourceSchema, resolvePath, walk } from './attributes.ts'
import { onePrimary, readValue } from './document.ts'
import { type Filter, parseElementFilter } from './filter.ts'
import { type Document, isDocument, matches } from './match.ts'
import { scimProblem } from './problems.ts'

const operations = ['add', 'replace', 'remove'] as const
type Operation = (typeof operations)[number]

const mostOperations = 1_000

/** @throws API-001 with the scimType that RFC 7644 gives the fault */
export function applyPatch(schema: ResourceSchema, document: Document, body: Document): Document {
  const list = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1]
  if (!Array.isArray(list) || list.length === 0) throw scimProblem('invalidSyntax', 'A patch has Operations.')
  if (list.length > mostOperations)
    throw scimProblem('invalidSyntax', `A patch has at most ${mostOperations} operations.`)
  return list.reduce<Document>((state, operation) => applyOne(schema, state, operation), document)
}

function applyOne(schema: ResourceSchema, document: Document, operation: unknown): Document {
  if (!isDocument(operation)) throw scimProblem('invalidSyntax', 'An operation is an object.')
  const member = (name: string): unknown =>
    Object.entries(operation).find(([other]) => other.toLowerCase() === name)?.[1]
  const word = String(member('op')).toLowerCase()
  const op = operations.find((known) => known === word)
  if (op === undefined) throw scimProblem('invalidSyntax', 'op is add, replace or remove.')
  const path = member('path')
  const value = member('value')
  if (typeof path === 'string' && path.trim() !== '') {
    return changed(document, { op, value, target: readTarget(schema, path.trim()) })
  }
  if (op === 'remove') throw scimProblem('noTarget', 'remove needs a path.')
  if (!isDocument(value)) throw scimProblem('invalidValue', 'Without a path the value is an object.')
  return withoutAPath(schema, document, { op, value })
}

/** Each member is a path of its own; members we do not accept are ignored, as in a whole document. */
function withoutAPath(
  schema: ResourceSchema,
  document: Document,
  { op, value }: { readonly op: Operation; readonly value: Document },
): Document {
  return Object.entries(value).reduce<Document>((state, [name, member]) => {
    const path = resolvePath(schema, name)
    if (path === null || path.some(({ readOnly }) => readOnly)) return state
    return changed(state, { op, value: member, target: { path, filter: null, inner: [] } })
  }, document)
}

interface Target {
  readonly path: AttributePath
  /** Chooses elements of the attribute. */
  readonly filter: Filter | null
  /** Inside a chosen element. */
  readonly inner: readonly Attribute[]
}

const valuePath = /^([^[\]]+)\[(.*)\](?:\.([A-Za-z][\w$-]*))?$/s

function readTarget(schema: ResourceSchema, text: string): Target {
  const bracketed = valuePath.exec(text)
  const [, name = text, filterText, innerName] = bracketed ?? []
  const path = resolvePath(schema, name)
  const attribute = path?.at(-1)
  if (path === null || attribute === undefined)
    throw scimProblem('invalidPath', `There is no attribute ${text.slice(0, 100)}.`)
  if (path.some(({ readOnly }) => readOnly)) throw scimProblem('mutability', `${name} is decided by this server.`)
  if (filterText === undefined) return { path, filter: null, inner: [] }
  if (path.length > 1 || !attribute.multiple)
    throw scimProblem('invalidPath', `${name} has no elements to choose from.`)
  const inner = innerName === undefined ? [] : walk(attribute.sub, [innerName])
  if (inner === null) throw scimProblem('invalidPath', `There is no attribute ${text.slice(0, 100)}.`)
  return { path, filter: parseElementFilter(attribute, filterText), inner }
}

interface Change {
  readonly op: Operation
  readonly value: unknown
  readonly target: Target
}

function changed(document: Document, { op, value, target }: Change): Document {
  const { path, filter, inner } = target
  if (filter !== null) return withElements(document, path[0], { op, value, filter, inner })
  return withValue(document, path, { op, value })
}

/** The document with the value at the path set, joined or taken away. */
function withValue(
  document: Document,
  path: readonly Attribute[],
  change: { readonly op: Operation; readonly value: unknown },
): Document {
  const [attribute, ...rest] = path
  if (attribute === undefined) return document
  const before = document[attribute.name]
  if (rest.length === 0) return withMember(document, attribute, settled(attribute, before, change))
  if (attribute.multiple) {
    const elements = Array.isArray(before) ? before.filter(isDocument) : []
    const after = (elements.length > 0 ? elements : [{}]).map((element) => withValue(element, rest, change))
    return withMember(document, attribute, emptied(after))
  }
  const after = withValue(isDocument(before) ? before : {}, rest, change)
  return withMember(document, attribute, Object.keys(after).length === 0 ? undefined : after)
}

function settled(
  attribute: Attribute,
  before: unknown,
  { op, value }: { readonly op: Operation; readonly value: unknown },
): unknown {
  if (op === 'remove') return value === undefined || !attribute.multiple ? undefined : less(attribute, before, value)
  const read = readValue(attribute, value)
  // Adding nothing, or only undeclared members, changes nothing.
  if (read === undefined && (op === 'add' || (isDocument(value) && Object.keys(value).length > 0))) return before
  if (attribute.multiple && op === 'add') return more(before, read)
  // A complex value replaces the members it names (RFC 7644 section 3.5.2.3).
  if (attribute.type === 'complex' && !attribute.multiple && isDocument(read))
    return { ...(isDocument(before) ? before : {}), ...read }
  return read
}

function more(before: unknown, read: unknown): unknown {
  const had: readonly unknown[] = Array.isArray(before) ? before : []
  const given: readonly unknown[] = Array.isArray(read) ? read : []
  const known = new Set(had.map(keyOf))
  return emptied(onePrimary([...had, ...given.filter((one) => !known.has(keyOf(one)))]))
}

/** Entra names the members to remove in the value instead of the path. */
function less(attribute: Attribute, before: unknown, value: unknown): unknown {
  const read = readValue(attribute, value)
  const gone = new Set((Array.isArray(read) ? read : []).map(memberValue))
  return emptied((Array.isArray(before) ? before : []).filter((one) => !gone.has(memberValue(one))))
}

function withElements(
  document: Document,
  attribute: Attribute,
  change: {
    readonly op: Operation
    readonly value: unknown
    readonly filter: Filter
    readonly inner: readonly Attribute[]
  },
): Document {
  const { op, value, filter, inner } = change
  const before = document[attribute.name]
  const elements: readonly unknown[] = Array.isArray(before) ? before : []
  const chosen = (element: unknown): element is Document => isDocument(element) && matches(filter, element)
  if (op === 'remove' && inner.length === 0)
    return withMember(document, attribute, emptied(elements.filter((element) => !chosen(element))))
  const edit = (element: Document): Document =>
    inner.length > 0 ? withValue(element, inner, { op, value }) : { ...element, ...elementFrom(attribute, value) }
  const found = elements.some(chosen)
  const after = elements.map((element) => (chosen(element) ? edit(element) : element))
  if (found || op === 'remove') return withMember(document, attribute, emptied(onePrimary(after)))
  // Directories address `emails[type eq "work"].value` before there is such an element, and mean to make it.
  const made = asElement(filter)
  if (made === null) throw scimProblem('noTarget', `No ${attribute.name} meets the filter of the path.`)
  return withMember(document, attribute, emptied(onePrimary([...after, edit(made)])))
}

function elementFrom(attribute: Attribute, value: unknown): Document {
  const read = readValue({ ...attribute, multiple: false }, value)
  return isDocument(read) ? read : {}
}

/** The element a filter of nothing but equalities describes. */
function asElement(filter: Filter): Document | null {
  if (filter.op === 'eq') return Object.fromEntries([[filter.path[0].name, filter.value]])
  if (filter.op !== 'and') return null
  const parts = filter.parts.map(asElement)
  return parts.every((part) => part !== null) ? Object.assign({}, ...parts) : null
}

function withMember(document: Document, { name, required }: Attribute, value: unknown): Document {
  if (value !== undefined) return { ...document, [name]: value }
  if (required) throw scimProblem('invalidValue', `${name} cannot be taken away.`)
  return Object.fromEntries(Object.entries(document).filter(([other]) => other !== name))
}

const emptied = (values: readonly unknown[]): unknown => (values.length === 0 ? undefined : values)
const memberValue = (one: unknown): unknown => (isDocument(one) ? one.value : one)
/** Two members of one group, or two numbers of one person, are the same if their values are. */
const keyOf = (one: unknown): string => (isDocument(one) ? JSON.stringify([one.value, one.type]) : JSON.stringify(one))
