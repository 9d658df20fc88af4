import { Check } from 'typebox/schema'
import { nearestNumber } from '../../../kernel/base/exact-json.ts'

/** Larger schemas and values are not checked: a caller must not wait seconds to learn that a field is missing. */
const mostCharacters = 262_144

/** The value of a JSON text; undefined when it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * Whether the value has the form a caller's own JSON Schema asks for. Patterns and formats are not looked at, because they
 * would run on an engine that can be held up; a schema that cannot be read says nothing. Undefined fits none.
 */
export function fitsSchema(value: unknown, schema: Readonly<Record<string, unknown>>): boolean {
  if (value === undefined) return false
  // Numbers that keep all their digits are texts in the schema as they are passed on.
  const shape = withoutPatterns(schema)
  if (JSON.stringify(shape).length > mostCharacters || JSON.stringify(value).length > mostCharacters) return true
  try {
    return Check(shape as object, value)
  } catch {
    // A schema with endless recursion, or with a reference to a missing definition.
    return true
  }
}

const unsafeKeywords: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'format', 'uniqueItems'])

/** Names of properties are never keywords. */
function withoutPatterns(schema: unknown, isProperties = false): unknown {
  if (typeof schema === 'string') return nearestNumber(schema)
  if (Array.isArray(schema)) return schema.map((item) => withoutPatterns(item))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, member]) => {
      if (!isProperties && unsafeKeywords.has(name)) return []
      if (!isProperties && (name === 'const' || name === 'enum' || name === 'default'))
        return [[name, nearestIn(member)]]
      return [[name, withoutPatterns(member, !isProperties && namedSchemas.has(name))]]
    }),
  )
}

/** Values that are compared as they are; a number within an object is one of many and not worth a walk. */
function nearestIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nearestIn)
  return typeof value === 'string' ? nearestNumber(value) : value
}

const namedSchemas: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
