import { Check } from 'typebox/schema'

/** Larger schemas and values are not checked: nobody waits seconds to learn that a field is missing. */
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
  const shape = withoutPatterns(schema)
  if (JSON.stringify(shape).length > mostCharacters || JSON.stringify(value).length > mostCharacters) return true
  try {
    return Check(shape as object, value)
  } catch {
    // A schema that refers to itself without end, or to what is not there.
    return true
  }
}

const unsafeKeywords: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'format', 'uniqueItems'])

/** Names of properties are not keywords, whatever they are called. */
function withoutPatterns(schema: unknown, isProperties = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutPatterns(item))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, member]) => {
      if (!isProperties && unsafeKeywords.has(name)) return []
      if (!isProperties && (name === 'const' || name === 'enum' || name === 'default')) return [[name, member]]
      return [[name, withoutPatterns(member, !isProperties && namedSchemas.has(name))]]
    }),
  )
}

const namedSchemas: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
