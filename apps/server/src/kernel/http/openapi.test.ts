import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { table } from '../db/table.ts'
import { defineErrors } from '../errors/errors.ts'
import { type Route, routesOf } from '../module/route.ts'
import { strictObject } from '../schema/types.ts'
import { openApiDocument } from './openapi.ts'
import { declaredErrors } from './openapi-responses.ts'
import type { PlacedRoute } from './parts.ts'

const route = routesOf<undefined>()
const Thing = strictObject({ id: Type.String({ format: 'uuid' }), name: Type.String({ maxLength: 9 }) })
const things = table({
  name: 'thing',
  row: Type.Object({ tenant_id: Type.String(), ...Thing.properties }),
  sorts: ['name'],
  data: { category: 'test', subject: [], retention: 'tenant', erasure: 'none' },
})
const errors = defineErrors('RISK', { full: [1, 409, 'Full', () => 'There is no room.'] })
const thing = { id: '', name: '' }
const read = { permission: 'risk:read', summary: 'Read', returns: [200, Thing], handler: async () => thing } as const
const write = { ...read, permission: 'risk:write', audit: 'thing.change' } as const

const routes = placed(
  route.get('/things', {
    ...read,
    query: strictObject({ name: Type.Optional(Type.String({ maxLength: 9 })) }),
    list: { table: things, default: 'name' },
    handler: async () => ({ items: [], total: 0, hasMore: false, last: null }),
  }),
  route.post('/things', { ...write, returns: [201, Thing], body: Thing, errors: [errors.full] }),
  route.get('/things/{thing_id}', read),
  route.patch('/things/{thing_id}', { ...write, body: Thing }),
  route.delete('/things/{thing_id}', write),
  route.post('/public-things', { ...read, permission: 'public', body: Thing }),
)

function placed(...list: readonly Route[]): readonly PlacedRoute[] {
  return list.map((one) => ({ module: 'risk', path: `/api/v1/risk${one.path}`, route: one, services: undefined }))
}

const make = () => openApiDocument({ routes, publicUrl: 'https://p.example', version: '1.0.0' })

interface Operation {
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly requestBody?: { readonly content: object }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: object }>>
}

function operation(method: string, path: string): Operation {
  const found: unknown = Object(Object(make().paths)[`/api/v1/risk${path}`])[method]
  if (found === undefined) throw new Error(`${method} ${path} is not in the document`)
  // The document is made from plain objects; the assertions below are what checks its form.
  return found as Operation
}

const named = (of: Operation, where: string): readonly string[] =>
  of.parameters.filter((parameter) => parameter.in === where).map(({ name }) => name)

test('the same routes give the same document', () => {
  expect(JSON.stringify(make())).toBe(JSON.stringify(make()))
})

test('every operation has a name of its own', () => {
  const ids = routes.map(({ route: { method, path } }) => operation(method.toLowerCase(), path).operationId)
  expect(new Set(ids).size).toBe(routes.length)
  expect(ids[0]).toBe('getRiskThings')
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]*$/)
})

describe('parameters', () => {
  test('a list has its filters and the three of every list', () => {
    expect(named(operation('get', '/things'), 'query')).toEqual(['name', 'limit', 'cursor', 'sort'])
  })

  test('what stands in the path is required', () => {
    const { parameters } = operation('get', '/things/{thing_id}')
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(['thing_id'])
  })

  test('conditions and keys are offered where they work', () => {
    expect(named(operation('get', '/things/{thing_id}'), 'header')).toEqual(['If-None-Match'])
    expect(named(operation('patch', '/things/{thing_id}'), 'header')).toEqual(['If-Match'])
    expect(named(operation('delete', '/things/{thing_id}'), 'header')).toEqual(['If-Match'])
    expect(named(operation('post', '/things'), 'header')).toEqual(['Idempotency-Key'])
    expect(named(operation('post', '/public-things'), 'header')).toEqual([])
  })
})

describe('bodies', () => {
  test('a change may be sent as a merge patch, a new resource as JSON only', () => {
    const types = (of: Operation) => Object.keys(of.requestBody?.content ?? {})
    expect(types(operation('patch', '/things/{thing_id}'))).toEqual([
      'application/json',
      'application/merge-patch+json',
    ])
    expect(types(operation('post', '/things'))).toEqual(['application/json'])
    expect(types(operation('delete', '/things/{thing_id}'))).toEqual([])
  })
})

describe('answers', () => {
  test.each([
    ['get', '/things', ['200', '304', '400', '401', '403', '404', '414', '429', '500', '503']],
    ['post', '/things', ['201', '400', '401', '403', '404', '409', '413', '414', '415', '429', '500', '503']],
    [
      'patch',
      '/things/{thing_id}',
      ['200', '400', '401', '403', '404', '409', '412', '413', '414', '415', '429', '500', '503'],
    ],
    [
      'delete',
      '/things/{thing_id}',
      ['200', '400', '401', '403', '404', '409', '412', '413', '414', '415', '429', '500', '503'],
    ],
    ['post', '/public-things', ['200', '400', '409', '413', '414', '415', '429', '500', '503']],
  ])('%s %s', (method, path, statuses) => {
    expect(Object.keys(operation(method, path).responses)).toEqual(statuses)
  })

  test('what a route declares is named with its code, once', () => {
    expect(operation('post', '/things').responses['409']?.description).toContain('RISK-001 Full')
    const codes = routes.map((one) => declaredErrors(one).map(({ code }) => code))
    for (const list of codes) expect(new Set(list).size).toBe(list.length)
  })

  test('who needs no credential is offered none', () => {
    expect(operation('post', '/public-things').security).toEqual([])
    expect(operation('post', '/things').security).toHaveLength(2)
  })
})

test('no schema says how a value is kept in the database', () => {
  const Kept = strictObject({ value: Type.Unsafe<object>({ type: 'object', jsonb: true }), jsonb: Type.String() })
  const document = openApiDocument({
    routes: placed(
      route.get('/kept', { ...read, returns: [200, Kept], handler: async () => ({ value: {}, jsonb: '' }) }),
    ),
    publicUrl: 'https://parapet.example',
    version: '1',
  })
  const told = JSON.stringify(document)
  expect(told).not.toContain('"jsonb":true')
  expect(told).toContain('"jsonb":{')
})
