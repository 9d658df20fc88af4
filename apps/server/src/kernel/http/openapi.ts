/**
 * The OpenAPI 3.1 document, derived from the declared routes. Pure: the same routes give the same document.
 * Tested in openapi.test.ts; every answer of the test run is validated against it.
 */
import Type, { type TObject } from 'typebox'
import type { UploadDeclaration } from '../module/route.ts'
import { Timestamp } from '../schema/types.ts'
import { bodyTypes, multipartType } from './body/body-types.ts'
import { listQuery } from './list.ts'
import { responses } from './openapi-responses.ts'
import type { PlacedRoute } from './parts.ts'

type Json = Readonly<Record<string, unknown>>

const mergePatch = 'application/merge-patch+json'

const Meta = Type.Object({ request_id: Type.String(), timestamp: Timestamp, version: Type.Literal('v1') })
const Pagination = Type.Object(
  {
    cursor: Type.Union([Type.String(), Type.Null()]),
    limit: Type.Integer(),
    has_more: Type.Boolean(),
    total_count: Type.Integer(),
  },
  { additionalProperties: false },
)
const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  instance: Type.String(),
  error_code: Type.String({ pattern: '^[A-Z]+-\\d{3}$' }),
  request_id: Type.String(),
  timestamp: Timestamp,
  data: Type.Null(),
  meta: Meta,
  errors: Type.Array(
    Type.Object(
      { error_code: Type.String(), detail: Type.String(), pointer: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
    { minItems: 1 },
  ),
})

export function openApiDocument(input: {
  readonly routes: readonly PlacedRoute[]
  readonly publicUrl: string
  readonly version: string
}): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const placed of input.routes) {
    const item = paths[placed.path] ?? {}
    item[placed.route.method.toLowerCase()] = operation(placed)
    paths[placed.path] = item
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parapet', version: input.version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: input.publicUrl }],
    paths: published(paths),
    components: {
      schemas: { Problem, Meta, Pagination },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Access token or API key.' },
        api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  }
}

/** Schemas as published: without the place of a value in the database. */
function published(paths: Record<string, Record<string, Json>>): Json {
  return JSON.parse(
    JSON.stringify(paths, (name, value: unknown) => (name === 'jsonb' && value === true ? undefined : value)),
  )
}

function operation(placed: PlacedRoute): Json {
  const { route, path, module } = placed
  const open = route.permission === 'public'
  return {
    operationId: operationId(route.method, path),
    tags: [module],
    summary: route.summary,
    ...(route.description === null ? {} : { description: route.description }),
    'x-permission': route.permission,
    security: open ? [] : [{ bearer: [] }, { api_key: [] }],
    parameters: parameters(placed),
    ...requestBody(route),
    responses: responses(placed),
  }
}

function operationId(method: string, path: string): string {
  const words = path
    .replace(/^\/(?:api\/v1\/)?/, '')
    .replaceAll(/[{}]/g, '')
    .split(/[/_-]/)
  return [method.toLowerCase(), ...words]
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
}

function parameters({ route, path }: PlacedRoute): readonly Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: route.params[name] ?? { type: 'string', format: 'uuid' },
  }))
  const schema = route.list === null ? route.query : listQuery(route.list, route.query)
  const required = new Set<string>(schema?.required ?? [])
  const inQuery = Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema: property,
  }))
  return [...inPath, ...inQuery, ...headerParameters(route.method, route.permission === 'public')]
}

function headerParameters(method: string, open: boolean): readonly Json[] {
  const header = (name: string, description: string): Json => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  if (method === 'GET') return [header('If-None-Match', 'Answers 304 when the entity tag still matches.')]
  if (method === 'POST')
    return open
      ? []
      : [header('Idempotency-Key', 'A replay within 24 hours returns the first answer; a stream is made anew.')]
  return [header('If-Match', 'Refused with 412 when the resource has changed.')]
}

function requestBody(route: PlacedRoute['route']): Json {
  if (route.upload !== null) return { requestBody: { required: true, content: uploadContent(route, route.upload) } }
  const schema = route.body
  if (schema === null || route.method === 'GET' || route.method === 'DELETE') return {}
  // A merge patch is the form of PATCH alone; elsewhere the media type is read and says nothing more.
  const types = bodyTypes(route).filter((type) => type !== mergePatch || route.method === 'PATCH')
  return { requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) } }
}

function uploadContent({ body }: PlacedRoute['route'], upload: UploadDeclaration): Json {
  const file = { type: 'string', description: `At most ${upload.maxBytes} bytes.` }
  if (upload.as !== 'multipart') {
    const schemaOf = (type: string) =>
      type === 'application/json' && upload.json !== undefined ? upload.json : { ...file, contentMediaType: type }
    return Object.fromEntries(upload.mediaTypes.map((type) => [type, { schema: schemaOf(type) }]))
  }
  const fields = body as TObject | null
  const schema = {
    type: 'object',
    required: ['file', ...(fields?.required ?? [])],
    properties: { ...fields?.properties, file },
    additionalProperties: false,
  }
  return { [multipartType]: { schema, encoding: { file: { contentType: upload.mediaTypes.join(', ') } } } }
}
