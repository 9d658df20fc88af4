/** Output of a reader of a format. Pure. */
import type { Static } from 'typebox'
import type { Ssvc, ThreatContent } from '../library/schema.ts'

/** Members that an import brings of a threat; members that it does not name stay as they are. */
export interface ReadThreat {
  /** By which it is found again: its STIX id where it has one. */
  readonly key: string
  readonly fields: Partial<ThreatContent>
  /** Decision points of SSVC that the import gives. */
  readonly points?: Partial<Omit<Static<typeof Ssvc>, 'decision'>>
  /** Changes only what is in the library. */
  readonly onlyKnown?: boolean
}

/** A relationship of STIX. */
export interface Relation {
  readonly kind: 'mitigation' | 'group' | 'parent' | 'successor'
  readonly source: string
  readonly target: string
}

/** The owner of a relation, and the threat that it names. */
export const endOf = ({ kind, source, target }: Relation): { readonly of: string; readonly names: string } =>
  kind === 'parent' || kind === 'successor' ? { of: source, names: target } : { of: target, names: source }

export interface Skipped {
  readonly pointer: string
  readonly reason: string
}

export interface Content {
  readonly threats: readonly ReadThreat[]
  /** With an end that is not in the bundle, but may be in the library. */
  readonly relations: readonly Relation[]
  /** STIX ids that the bundle names and does not have, each with the first place that names it. */
  readonly unresolved: readonly { readonly id: string; readonly pointer: string }[]
  readonly skipped: readonly Skipped[]
}

export const nothingElse = { relations: [], unresolved: [], skipped: [] } as const

/** The content is not of the format. `kind` says which error it becomes. */
export class ImportFault extends Error {
  override readonly name = 'ImportFault'
  readonly pointer: string
  readonly kind: 'content' | 'vector'

  constructor(pointer: string, message: string, kind: 'content' | 'vector' = 'content') {
    super(message)
    this.pointer = pointer
    this.kind = kind
  }
}

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function fieldsAt(value: unknown, pointer: string): Fields {
  if (!isFields(value)) throw new ImportFault(pointer, 'This must be an object.')
  return value
}

export function listAt(value: unknown, pointer: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ImportFault(pointer, 'This must be an array.')
  return value
}

/** Text of 1 to so many characters. */
export function textAt(
  fields: Fields,
  name: string,
  { pointer, most = 500 }: { pointer: string; most?: number },
): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '' || value.length > most)
    throw new ImportFault(`${pointer}/${name}`, `This must be text of 1 to ${most} characters.`)
  return value
}

/** As `textAt`; null where the member is missing. */
export const maybeTextAt = (fields: Fields, name: string, at: { pointer: string; most?: number }): string | null =>
  fields[name] === undefined || fields[name] === null ? null : textAt(fields, name, at)

/** Texts of at most 200 characters; none where the member is missing. */
export function textsAt(fields: Fields, name: string, pointer: string): string[] {
  const value = fields[name]
  if (value === undefined) return []
  return listAt(value, `${pointer}/${name}`).map((one, i) => {
    if (typeof one === 'string' && one.length <= 200) return one
    throw new ImportFault(`${pointer}/${name}/${i}`, 'This must be text of at most 200 characters.')
  })
}

/** One of the listed words; undefined where the member is missing. */
export function wordAt<const W extends readonly string[]>(
  fields: Fields,
  name: string,
  { pointer, words }: { readonly pointer: string; readonly words: W },
): W[number] | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  const word = words.find((one) => one === value)
  if (word === undefined) throw new ImportFault(`${pointer}/${name}`, `This must be one of: ${words.join(', ')}.`)
  return word
}
