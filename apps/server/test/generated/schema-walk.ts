import { isJson, type Json } from './schema-values.ts'

export interface Place {
  /** Like `body /profile/name`, arrays as `[]`. */
  readonly where: string
  readonly schema: Json
}

/** Every schema inside this one, itself first. */
export function placesIn(schema: unknown, where: string): readonly Place[] {
  if (!isJson(schema)) return []
  const inner: (readonly [unknown, string])[] = []
  for (const [name, property] of Object.entries(isJson(schema.properties) ? schema.properties : {}))
    inner.push([property, `${where}/${name}`])
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    for (const branch of listOf(schema[keyword])) inner.push([branch, where])
  inner.push(
    [schema.items, `${where}[]`],
    [schema.additionalProperties, `${where}/*`],
    [schema.propertyNames, `${where}/?`],
  )
  for (const property of Object.values(isJson(schema.patternProperties) ? schema.patternProperties : {}))
    inner.push([property, `${where}/*`])
  return [{ where, schema }, ...inner.flatMap(([part, at]) => placesIn(part, at))]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
