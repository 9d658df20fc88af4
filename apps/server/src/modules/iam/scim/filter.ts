/**
 * Reads SCIM filters (RFC 7644 section 3.4.2.2) into a tree of known attributes. Bounded: ten levels deep, 200 terms,
 * 8,000 characters. It neither runs a filter nor knows SQL. Tested in filter.test.ts.
 */
import { type Attribute, type AttributePath, type ResourceSchema, resolvePath, walk } from './attributes.ts'
import { scimProblem } from './problems.ts'

export const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof comparisons)[number]

export type Filter =
  | { readonly op: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly op: 'not'; readonly part: Filter }
  | { readonly op: 'pr'; readonly path: AttributePath }
  | { readonly op: Comparison; readonly path: AttributePath; readonly value: string | boolean }
  /** One element of the multi-valued attribute meets the part, whose paths begin inside the element. */
  | { readonly op: 'some'; readonly path: AttributePath; readonly part: Filter }

export const maxDepth = 10
export const maxTerms = 200
const maxLength = 8_000

type Resolve = (text: string) => AttributePath | null

/** @throws API-001 with scimType invalidFilter */
export function parseFilter(schema: ResourceSchema, text: string): Filter {
  return new FilterReader(text, (path) => resolvePath(schema, path)).read()
}

/** The part between the brackets of a path, for one element of the attribute. @throws as `parseFilter` */
export function parseElementFilter(attribute: Attribute, text: string): Filter {
  return new FilterReader(text, (path) => walk(attribute.sub, path.split('.'))).read()
}

const token = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y

class FilterReader {
  readonly #tokens: readonly string[]
  #resolve: Resolve
  #at = 0
  #depth = 0
  #terms = 0

  constructor(text: string, resolve: Resolve) {
    if (text.length > maxLength) throw invalid(`A filter has at most ${maxLength} characters.`)
    this.#tokens = tokensOf(text)
    this.#resolve = resolve
  }

  read(): Filter {
    const filter = this.#either()
    if (this.#at < this.#tokens.length) throw invalid(`Unexpected ${this.#peek()}.`)
    return filter
  }

  #either(): Filter {
    return this.#joined('or', () => this.#joined('and', () => this.#one()))
  }

  #joined(op: 'and' | 'or', next: () => Filter): Filter {
    const parts = [next()]
    while (this.#peek().toLowerCase() === op) {
      this.#at += 1
      parts.push(next())
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { op, parts }
  }

  #one(): Filter {
    const word = this.#peek()
    if (word === '(') return this.#inside(() => this.#group())
    if (word.toLowerCase() === 'not' && this.#tokens[this.#at + 1] === '(') {
      this.#at += 1
      return this.#inside(() => ({ op: 'not', part: this.#group() }))
    }
    return this.#term()
  }

  #inside<T>(read: () => T): T {
    this.#depth += 1
    if (this.#depth > maxDepth) throw invalid(`A filter nests at most ${maxDepth} deep.`)
    const result = read()
    this.#depth -= 1
    return result
  }

  #group(): Filter {
    this.#expect('(')
    const part = this.#either()
    this.#expect(')')
    return part
  }

  #term(): Filter {
    this.#terms += 1
    if (this.#terms > maxTerms) throw invalid(`A filter has at most ${maxTerms} terms.`)
    const name = this.#next()
    const path = this.#resolve(name)
    if (path === null || path.some(({ filtered }) => !filtered)) throw invalid(`Nothing can be filtered by ${name}.`)
    if (this.#peek() === '[') return this.#inside(() => this.#some(path))
    return this.#comparison(path)
  }

  #comparison(path: AttributePath): Filter {
    const op = this.#next().toLowerCase()
    if (op === 'pr') return { op, path }
    const comparison = comparisons.find((known) => known === op)
    if (comparison === undefined) throw invalid(`There is no operator ${op}.`)
    return compared(comparison, path, this.#next())
  }

  #some(path: AttributePath): Filter {
    const [attribute] = path
    if (path.length > 1 || !attribute.multiple) throw invalid(`${attribute.name} has no elements to choose from.`)
    const outer = this.#resolve
    this.#expect('[')
    this.#resolve = (text) => walk(attribute.sub, text.split('.'))
    const part = this.#either()
    this.#expect(']')
    const beside = this.#peek().startsWith('.') ? this.#beside() : []
    this.#resolve = outer
    return { op: 'some', path, part: beside.length === 0 ? part : { op: 'and', parts: [part, ...beside] } }
  }

  /** `emails[type eq "work"].value eq "x"`, as Entra asks: the same element meets both. */
  #beside(): readonly Filter[] {
    const name = this.#next()
    const path = this.#resolve(name.slice(1))
    if (path === null || path.some(({ filtered }) => !filtered)) throw invalid(`Nothing can be filtered by ${name}.`)
    return [this.#comparison(path)]
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? ''
  }

  #next(): string {
    const word = this.#peek()
    if (word === '') throw invalid('The filter ends too early.')
    this.#at += 1
    return word
  }

  #expect(word: string): void {
    if (this.#next() !== word) throw invalid(`Expected ${word}.`)
  }
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = []
  const end = text.trimEnd().length
  token.lastIndex = 0
  while (token.lastIndex < end) {
    const begin = token.lastIndex
    const found = token.exec(text)
    if (found === null) throw invalid(`Unexpected text at position ${begin + 1}.`)
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '')
  }
  if (tokens.length === 0) throw invalid('The filter is empty.')
  return tokens
}

/** A complex attribute is compared by its `value`. */
function compared(op: Comparison, path: AttributePath, literal: string): Filter {
  const last = path.at(-1) ?? path[0]
  const inner = last.type === 'complex' ? walk(last.sub, ['value']) : null
  if (last.type === 'complex' && inner === null) throw invalid(`${last.name} is no single value.`)
  const whole: AttributePath = inner === null ? path : [path[0], ...path.slice(1), ...inner]
  if (literal.toLowerCase() === 'null') return unassigned(op, path)
  const target = whole.at(-1) ?? last
  return { op, path: whole, value: valueFor(op, target, literal) }
}

/** Null is no value, and so is none (RFC 7643 section 2.5). */
function unassigned(op: Comparison, path: AttributePath): Filter {
  const present: Filter = { op: 'pr', path }
  if (op === 'ne') return present
  if (op !== 'eq') throw invalid('null has no order and no parts.')
  return { op: 'not', part: present }
}

function valueFor(op: Comparison, { name, type }: Attribute, literal: string): string | boolean {
  const value = readLiteral(literal)
  if (type === 'boolean') {
    if (op !== 'eq' && op !== 'ne') throw invalid(`${name} is true or false and has no order.`)
    if (typeof value === 'boolean') return value
    const word = String(value).toLowerCase()
    if (word === 'true' || word === 'false') return word === 'true'
    throw invalid(`${name} is true or false.`)
  }
  if (typeof value !== 'string') throw invalid(`${name} is compared with text.`)
  if (type !== 'dateTime') return value
  const instant = Date.parse(value)
  if (!/^\d{4}-\d\d-\d\dT/.test(value) || Number.isNaN(instant)) throw invalid(`${name} is a time.`)
  return new Date(instant).toISOString()
}

function readLiteral(text: string): unknown {
  const value = parsed(text)
  // No column can hold these characters, so no value could equal the text.
  if (typeof value === 'string' && /[\0\p{Surrogate}]/u.test(value))
    throw invalid('The value holds a character that no text has.')
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(/^(true|false)$/i.test(text) ? text.toLowerCase() : text)
  } catch {
    throw invalid(`${text.slice(0, 40)} is no value.`)
  }
}

function invalid(what: string) {
  return scimProblem('invalidFilter', what)
}
