/** TypeScript types of JSON Schemas as the routes declare them. Pure. Held by the type check of the console. */
export type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A schema as a TypeScript type; `unknown` for whatever it does not bound. */
export function typeOf(schema: Json): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  for (const [keyword, sign] of [
    ['anyOf', ' | '],
    ['oneOf', ' | '],
    ['allOf', ' & '],
  ] as const) {
    const parts = schema[keyword]
    if (Array.isArray(parts)) return [...new Set(parts.filter(isJson).map((part) => `(${typeOf(part)})`))].join(sign)
  }
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  return plain(schema)
}

function plain(schema: Json): string {
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `readonly (${isJson(schema.items) ? typeOf(schema.items) : 'unknown'})[]`
    case 'object':
      return objectOf(schema)
    default:
      return 'unknown'
  }
}

function objectOf(schema: Json): string {
  if (isJson(schema.properties)) {
    const required = Array.isArray(schema.required) ? schema.required.map(String) : []
    return members(schema.properties, required)
  }
  const [pattern] = isJson(schema.patternProperties) ? Object.values(schema.patternProperties) : []
  const values = pattern ?? schema.additionalProperties
  return `Readonly<Record<string, ${isJson(values) ? typeOf(values) : 'unknown'}>>`
}

/** Members of an object, those that are not required with a question mark. */
export function members(properties: Json, required: readonly string[]): string {
  const parts = Object.entries(properties)
    .filter(([, schema]) => isJson(schema))
    .map(([name, schema]) => {
      const optional = required.includes(name) ? '' : '?'
      return `readonly ${JSON.stringify(name)}${optional}: ${typeOf(schema as Json)}`
    })
  return `{ ${parts.join('; ')} }`
}
