/** The OpenAPI document as the console reads it, and what follows from it. Pure but for `readDocument`. Tested in openapi.test.ts. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly description?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Content {
  readonly [mediaType: string]: { readonly schema: Schema }
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly 'x-permission': string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface Place {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export async function readDocument(): Promise<Document> {
  const answer = await fetch('/openapi.json')
  if (!answer.ok) throw new Error('This server does not publish its documents (PARAPET_PUBLIC_DOCUMENTS).')
  return answer.json()
}

/** Every operation, as the document orders them. */
export function placesOf({ paths }: Document): readonly Place[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const prefix = '/api/v1'

export interface Resource {
  readonly module: string
  /** Of the list, below `/api/v1`. */
  readonly path: string
  readonly name: string
  readonly summary: string
  readonly permission: string
  readonly parameters: readonly Parameter[]
  readonly item: Schema
  /** Of one of its items; null where the API has none. */
  readonly detail: string | null
}

/** Lists of the API: what a module has to show, whichever module it is. */
export function resourcesOf(document: Document): readonly Resource[] {
  return placesOf(document).flatMap(({ method, path, operation }) => {
    const item = listItem(operation)
    if (method !== 'GET' || item === null || !path.startsWith(prefix) || path.includes('{')) return []
    return [
      {
        module: operation.tags[0] ?? '',
        path: path.slice(prefix.length),
        name: path.slice(path.lastIndexOf('/') + 1),
        summary: operation.summary,
        permission: operation['x-permission'],
        parameters: operation.parameters.filter((one) => one.in === 'query'),
        item,
        detail: detailOf(document, path),
      },
    ]
  })
}

function listItem(operation: Operation): Schema | null {
  const data = operation.responses['200']?.content?.['application/json']?.schema.properties?.data
  return data?.type === 'array' && data.items?.properties !== undefined ? data.items : null
}

function detailOf({ paths }: Document, list: string): string | null {
  const found = Object.entries(paths).find(
    ([path, operations]) =>
      path.startsWith(`${list}/{`) && !path.slice(list.length + 1).includes('/') && operations.get !== undefined,
  )
  return found === undefined ? null : found[0].slice(prefix.length)
}

const machinery = new Set(['id', 'tenant_id', 'etag', 'updated_at'])
const mostColumns = 7
const first = ['name', 'title', 'reference', 'key', 'kind', 'type', 'status', 'severity']

/** Columns worth a place in a table: scalars, those that name and judge first. */
export function columnsOf({ properties = {} }: Schema): readonly string[] {
  const scalar = Object.entries(properties).filter(([name, schema]) => !machinery.has(name) && isScalar(schema))
  const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : name === 'created_at' ? 99 : 50)
  return scalar
    .map(([name]) => name)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, mostColumns)
}

function isScalar(schema: Schema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.every(isScalar)
  return (
    schema.enum !== undefined ||
    schema.const !== undefined ||
    !['object', 'array', undefined].includes(schema.type as string)
  )
}

/** A schema in words: `string, uuid`. */
export function formOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(', ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(formOf))].join(' or ')
  const bounds = [
    schema.format,
    schema.minimum === undefined ? undefined : `from ${schema.minimum}`,
    schema.maximum === undefined ? undefined : `to ${schema.maximum}`,
    schema.maxLength === undefined ? undefined : `at most ${schema.maxLength} characters`,
  ].filter((bound) => bound !== undefined)
  const name =
    schema.type === 'array'
      ? `list of ${schema.items === undefined ? 'anything' : formOf(schema.items)}`
      : String(schema.type ?? 'anything')
  return [name, ...bounds].join(', ')
}

export interface FieldRow {
  readonly name: string
  readonly form: string
  readonly required: boolean
  readonly meaning: string
}

const deepest = 4

/** Fields of a schema, those inside with their path. */
export function fieldsOf(schema: Schema, path = '', depth = 0): readonly FieldRow[] {
  const { properties, required = [] } = objectIn(schema)
  if (properties === undefined || depth === deepest) return []
  return Object.entries(properties).flatMap(([key, inner]) => {
    const name = path === '' ? key : `${path}.${key}`
    const row = { name, form: formOf(inner), required: required.includes(key), meaning: inner.description ?? '' }
    const nested = inner.type === 'array' ? inner.items : inner
    const below = inner.type === 'array' ? `${name}[]` : name
    return [row, ...(nested === undefined ? [] : fieldsOf(nested, below, depth + 1))]
  })
}

const objectIn = (schema: Schema): Schema => schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema
