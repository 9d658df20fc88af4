/** The answers in the OpenAPI document: successes and errors of an operation, by status. Tested in openapi.test.ts. */
import Type, { type TSchema } from 'typebox'
import { apiErrors, authErrors, type DeclaredError } from '../errors/errors.ts'
import { isBodiless } from '../module/route.ts'
import type { PlacedRoute } from './parts.ts'

type Json = Readonly<Record<string, unknown>>

/** Answers of an operation, by status. */
export function responses(placed: PlacedRoute): Json {
  const { route } = placed
  const successes = [route.returns, ...route.alternatives].map(([status, schema]) => [
    String(status),
    {
      description: route.summary,
      ...(isBodiless(route.raw, [status, schema]) ? {} : { content: contentOf(route, schema) }),
    },
  ])
  const part = { description: 'The part that `Range` asks for.', content: contentOf(route, route.returns[1]) }
  return {
    ...Object.fromEntries(successes),
    ...(route.ranges ? { '206': part } : {}),
    ...(route.conditional ? { '304': { description: 'Not modified.' } } : {}),
    ...problems(declaredErrors(placed), route),
  }
}

function contentOf(route: PlacedRoute['route'], schema: TSchema): Json {
  const isFileOnly = route.files.length > 0 && route.list === null && (schema as { type?: unknown }).type === 'string'
  const files = Object.fromEntries(
    route.files.map((type) => [type, { schema: isFileOnly ? schema : fileSchema(type) }]),
  )
  // A list or a resource that is also given as a file keeps its envelope.
  if (isFileOnly) return files
  const stream = route.streams === null ? {} : { [route.streams]: { schema: { type: 'string' } } }
  const type = route.raw?.mediaType ?? 'application/json'
  return { [type]: { schema: route.raw === null ? envelopeOf(route, schema) : schema }, ...files, ...stream }
}

function envelopeOf({ list }: PlacedRoute['route'], schema: TSchema): Json {
  const plain = { $ref: '#/components/schemas/Meta' }
  const pagination = { $ref: '#/components/schemas/Pagination' }
  const paged = { allOf: [plain, { type: 'object', required: ['pagination'], properties: { pagination } }] }
  return {
    type: 'object',
    required: ['data', 'meta', 'errors'],
    properties: {
      data: list === null ? schema : Type.Array(schema),
      meta: list === null ? plain : paged,
      errors: { type: 'null' },
    },
    additionalProperties: false,
  }
}

const common = [
  apiErrors.validation,
  apiErrors.addressTooLong,
  apiErrors.rateLimited,
  apiErrors.internal,
  apiErrors.unavailable,
]

/** Errors a route may answer: its own and those its kind of route brings with it. */
export function declaredErrors({ route, path }: PlacedRoute): readonly DeclaredError[] {
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
  const removal = route.method === 'DELETE' ? [apiErrors.onHold] : []
  const named = path.includes('{') ? [apiErrors.notFound] : []
  const upload = route.upload === null ? [] : [apiErrors.contentEncoding, apiErrors.storageFull]
  const ranges = route.ranges ? [apiErrors.rangeNotSatisfiable, apiErrors.notFound] : []
  return [
    ...new Set([
      ...common,
      ...body,
      ...signedIn,
      ...list,
      ...replay,
      ...versioned,
      ...removal,
      ...named,
      ...upload,
      ...ranges,
      ...route.errors,
    ]),
  ]
}

function problems(errors: readonly DeclaredError[], { raw, opensInBrowser }: PlacedRoute['route']): Json {
  const page = opensInBrowser ? { 'text/html': { schema: { type: 'string' } } } : {}
  const content =
    raw === null
      ? { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } }, ...page }
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

/** A file whose type is JSON is any JSON value to a reader of the document, and others are bytes. */
const fileSchema = (type: string): object => (/[/+]json$/.test(type) ? {} : { type: 'string' })
