/**
 * The OpenAPI 3.1 document, derived from the declared routes. Pure: the same routes give the same document.
 * Tested in openapi.test.ts; every answer of the test run is validated against it.
 */
import Type, { type TSchema } from 'typebox'
import { apiErrors, authErrors, type DeclaredError } from '../errors/errors.ts'
import type { RawForm } from '../module/raw-form.ts'
import { bodiless } from '../module/route.ts'
import { Timestamp } from '../schema/types.ts'
import { bodyTypes } from './body/body-types.ts'
import { listQuery } from './list.ts'
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

/** Schemas as they are told: where a value is kept in the database is nobody's business outside. */
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
    ...(route.body === null || route.method === 'GET' || route.method === 'DELETE'
      ? {}
      : { requestBody: requestBody(route, route.body) }),
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

function requestBody(route: PlacedRoute['route'], schema: TSchema): Json {
  // A merge patch is the form of PATCH alone; elsewhere the media type is read and says nothing more.
  const types = bodyTypes(route).filter((type) => type !== mergePatch || route.method === 'PATCH')
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}

function responses(placed: PlacedRoute): Json {
  const { route } = placed
  const [status, schema] = route.returns
  const data = route.list === null ? schema : Type.Array(schema)
  const meta =
    route.list === null
      ? { $ref: '#/components/schemas/Meta' }
      : {
          allOf: [
            { $ref: '#/components/schemas/Meta' },
            {
              type: 'object',
              required: ['pagination'],
              properties: { pagination: { $ref: '#/components/schemas/Pagination' } },
            },
          ],
        }
  const body = {
    type: 'object',
    required: ['data', 'meta', 'errors'],
    properties: { data, meta, errors: { type: 'null' } },
    additionalProperties: false,
  }
  const files = Object.fromEntries(
    route.files.map((type) => [type, { schema: route.list === null ? schema : { type: 'string' } }]),
  )
  // A list that is also given as a file keeps its pages.
  const content: Record<string, Json> =
    route.files.length > 0 && route.list === null
      ? files
      : { [route.raw?.mediaType ?? 'application/json']: { schema: route.raw === null ? body : schema }, ...files }
  if (route.streams !== null) content[route.streams] = { schema: { type: 'string' } }
  return {
    [String(status)]: { description: route.summary, ...(bodiless.has(status) ? {} : { content }) },
    ...(route.conditional ? { '304': { description: 'Not modified.' } } : {}),
    ...problems(declaredErrors(placed), route.raw),
  }
}

/** Errors a route may answer: its own and those its kind of route brings with it. */
export function declaredErrors({ route, path }: PlacedRoute): readonly DeclaredError[] {
  const common = [
    apiErrors.validation,
    apiErrors.addressTooLong,
    apiErrors.rateLimited,
    apiErrors.internal,
    apiErrors.unavailable,
  ]
  // A deletion takes no body; one that comes all the same is read like any other.
  const body = route.method === 'GET' ? [] : [apiErrors.malformedJson, apiErrors.tooLarge, apiErrors.mediaType]
  const signedIn =
    route.permission === 'public'
      ? []
      : [
          authErrors.missing,
          authErrors.invalid,
          authErrors.expired,
          authErrors.forbidden,
          authErrors.tenantMismatch,
          authErrors.addressNotAllowed,
          authErrors.tenantSuspended,
          apiErrors.notFound,
        ]
  const list = route.list === null ? [] : [apiErrors.badCursor]
  const replay = route.method === 'POST' ? [apiErrors.conflict] : []
  const versioned =
    route.method === 'PUT' || route.method === 'PATCH' || route.method === 'DELETE'
      ? [apiErrors.preconditionFailed, apiErrors.conflict]
      : []
  const named = path.includes('{') ? [apiErrors.notFound] : []
  return [...new Set([...common, ...body, ...signedIn, ...list, ...replay, ...versioned, ...named, ...route.errors])]
}

function problems(errors: readonly DeclaredError[], raw: RawForm | null): Json {
  const content =
    raw === null
      ? { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
      : { [raw.mediaType ?? 'application/json']: { schema: raw.errorSchema } }
  const byStatus = new Map<number, DeclaredError[]>()
  for (const error of errors) byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error])
  const entries = [...byStatus].map(([status, group]) => [
    String(status),
    {
      description: group.map((error) => `${error.code} ${error.title}`).join('; '),
      content,
    },
  ])
  return Object.fromEntries(entries) as Json
}
