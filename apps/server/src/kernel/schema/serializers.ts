/**
 * Answers leave through a serializer compiled from their declared schema at first use, so an undeclared field cannot
 * leak however it got into the data. Tested in serializers.test.ts.
 */
import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import type { TSchema } from 'typebox'

export type Serialize = (value: unknown) => string

export function lazySerializer(schema: TSchema): Serialize {
  let serialize: Serialize | undefined
  return (value) => {
    serialize ??= fastJsonStringify(plain(schema) as Schema)
    return serialize(value)
  }
}

/**
 * Rewrites "X or null" as a nullable X and drops bounds: the serializer would otherwise validate each value to choose a
 * branch, and length, pattern and format say nothing about how to write a value.
 */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (typeof schema !== 'object' || schema === null) return schema
  const branches = 'anyOf' in schema && Array.isArray(schema.anyOf) ? schema.anyOf : null
  if (branches !== null) {
    const rest = branches.filter((branch) => !isNull(branch))
    const only = rest.length === 1 ? plain(rest[0]) : null
    if (typeof only === 'object' && only !== null && 'type' in only && rest.length < branches.length) {
      return { ...only, nullable: true }
    }
  }
  const kept = Object.entries(schema).filter(([keyword]) => !dropped.has(keyword))
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, plainMember(keyword, value)]))
}

/** Members of `properties` are names, not keywords: a field may well be called `description`. */
function plainMember(keyword: string, value: unknown): unknown {
  if (keyword === 'const') return value
  if (keyword !== 'properties' || typeof value !== 'object' || value === null) return plain(value)
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, plain(schema)]))
}

const dropped = new Set([
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'description',
  'jsonb',
])

function isNull(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null'
}
