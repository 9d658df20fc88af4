/**
 * The `sql` tag: text with numbered parameters and a name that is a hash of the text, so that each statement is
 * prepared once per connection. Values never reach the text; fragments nest; identifiers come from closed lists.
 * Tested in sql.test.ts.
 */
import { sha256 } from '../crypto/digest.ts'
import { storableJson } from './storable.ts'

/** `Row` is what the statement yields; it lives in the type only. */
export interface Sql<Row = Record<string, unknown>> {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name: string
  readonly row?: Row
}

const fragment = Symbol('sql')

interface Fragment {
  readonly [fragment]: true
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

export type SqlPart<Row = Record<string, unknown>> = Sql<Row> & Fragment

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `s${sha256(text).slice(0, 24)}`
  names.set(text, name)
  return name
}

function isFragment(value: unknown): value is Fragment {
  return typeof value === 'object' && value !== null && fragment in value
}

/** Builds a statement or a part of one: `sql<Row>\`select … where id = ${id}\``. */
export function sql<Row = Record<string, unknown>>(
  strings: TemplateStringsArray,
  ...params: readonly unknown[]
): SqlPart<Row> {
  return part(strings, params)
}

function part<Row>(pieces: readonly string[], params: readonly unknown[]): SqlPart<Row> {
  const strings: string[] = [pieces[0] ?? '']
  const values: unknown[] = []
  params.forEach((param, index) => {
    const tail = pieces[index + 1] ?? ''
    if (isFragment(param)) {
      strings[strings.length - 1] += param.strings[0] ?? ''
      param.values.forEach((value, at) => {
        values.push(value)
        strings.push(param.strings[at + 1] ?? '')
      })
      strings[strings.length - 1] += tail
    } else {
      values.push(param)
      strings.push(tail)
    }
  })
  return new Part<Row>(strings, values)
}

class Part<Row> implements Sql<Row>, Fragment {
  readonly [fragment] = true as const
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  #text: string | undefined

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }

  get text(): string {
    this.#text ??= this.strings.reduce((text, piece, index) => `${text}$${index}${piece}`)
    return this.#text
  }

  get name(): string {
    return nameOf(this.text)
  }
}

const identifierPattern = /^[a-z][a-z0-9_]{0,62}$/

/** A table or column name out of our own declarations, never out of a request. */
export function identifier(name: string): SqlPart {
  if (!identifierPattern.test(name)) throw new TypeError(`Not an identifier: ${JSON.stringify(name)}`)
  return part([name], [])
}

export function join(parts: readonly SqlPart[], separator: ', ' | ' and ' | ' or ' | ' '): SqlPart {
  if (parts.length === 0) return part([''], [])
  const pieces = ['', ...parts.slice(1).map(() => separator as string), '']
  return part(pieces, parts)
}

/** Inserts on their way into a statement: `note as (insert …)`. */
export interface Insert {
  readonly insert: SqlPart
}

/**
 * Inserts as one statement, which is stored whole or not at all without a transaction around it. None sees the rows of
 * another.
 */
export function together(inserts: readonly Insert[]): Sql {
  return sql`with ${join(
    inserts.map(({ insert }) => insert),
    ', ',
  )} select`
}

/**
 * A value for a `jsonb` column. Both drivers take JSON as text; arrays would otherwise become SQL arrays. Characters that
 * cannot be stored become U+FFFD.
 */
export function json(value: unknown): string {
  return storableJson(value)
}
