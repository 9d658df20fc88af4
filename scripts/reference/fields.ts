/** Fields of a JSON Schema as rows of a table: path, form, whether it must be there, what it means. */
import type { TSchema } from 'typebox'
import { code } from './markdown.ts'

/** The parts of JSON Schema that our declarations use. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** A declaration is JSON Schema; its type only says more. */
export const plain = (schema: TSchema): Schema => schema as Schema

export type FieldRow = readonly [path: string, form: string, required: string, meaning: string]

/** Deeper members are described by their form alone. */
const deepest = 3

/** Rows of an object's members, those of members below them. */
export function fieldRows(schema: Schema, prefix = '', depth = 1): FieldRow[] {
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`
    const inner = depth < deepest ? within(member) : null
    const row: FieldRow = [code(path), formOf(member), required.has(name) ? 'yes' : '', member.description ?? '']
    return [row, ...(inner === null ? [] : fieldRows(inner.schema, `${path}${inner.mark}.`, depth + 1))]
  })
}

/** Rows of what the list `name` holds; none where that has no members. */
export function itemRows(schema: Schema, name: string): FieldRow[] {
  const inner = within(schema)
  return inner === null ? [] : fieldRows(inner.schema, `${name}${inner.mark}.`, 2)
}

/** The object that stands in a member, also as an item or beside null. */
function within(schema: Schema): { readonly schema: Schema; readonly mark: string } | null {
  if (schema.properties !== undefined) return { schema, mark: '' }
  if (schema.items !== undefined) {
    const inner = within(schema.items)
    return inner === null ? null : { schema: inner.schema, mark: `[]${inner.mark}` }
  }
  const objects = (schema.anyOf ?? []).map(within).filter((inner) => inner !== null)
  return objects.length === 1 ? (objects[0] ?? null) : null
}

const quoted = (value: unknown): string => code(JSON.stringify(value))

/** A schema in words: `string, 1 to 200 characters`. */
export function formOf(schema: Schema): string {
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(', ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(formOf))].join(' or ')
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any')
  if (type === 'array')
    return `list of ${formOf(schema.items ?? {})}${range(schema.minItems, schema.maxItems, ' items')}`
  if (type === 'string')
    return `${schema.format ?? 'string'}${range(schema.minLength, schema.maxLength, ' characters')}`
  if (type === 'integer' || type === 'number') return `${type}${range(schema.minimum, schema.maximum, '')}`
  return type
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined) return least === undefined || least === 0 ? '' : `, from ${least}${unit}`
  return least === undefined ? `, at most ${most}${unit}` : `, ${least} to ${most}${unit}`
}
