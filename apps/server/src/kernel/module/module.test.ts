import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { table } from '../db/table.ts'
import { strictObject } from '../schema/types.ts'
import { defineApi, defineModule } from './module.ts'
import { Answer, routesOf } from './route.ts'

const route = routesOf<undefined>()
const Thing = strictObject({ id: Type.String({ maxLength: 36 }) })
const things = table({
  name: 'thing',
  row: Type.Object({ tenant_id: Type.String(), id: Type.String(), title: Type.String() }),
  sorts: ['title'],
  data: { category: 'test', subject: [], retention: 'tenant', erasure: 'none' },
})
const handler = async () => ({ id: '1' })
const read = { permission: 'risk:read', summary: 'Read', returns: [200, Thing], handler } as const
const write = { ...read, permission: 'risk:write', audit: 'thing.change' } as const

describe('a route is refused', () => {
  test.each(['post', 'patch', 'delete'] as const)('C60 when a %s names no audit action', (method) => {
    const { audit: _audit, ...silent } = write
    expect(() => route[method]('/things', silent)).toThrow(/names no audit action/)
  })

  test.each([undefined, '', 'risk', 'risk:own', 'riskread', 'nobody:read', 'Public'])(
    'C13 when it asks for %j, which is no permission',
    (permission) => {
      expect(() => route.get('/things', { ...read, permission: permission as 'public' })).toThrow(/permission/)
    },
  )

  test.each([
    'things',
    '/things/',
    '/Things',
    '/things//x',
    '/things/{Thing}',
    '/things/{a}/{a}',
    '/things/:id',
    '/a b',
  ])('when its path is %s', (path) => {
    expect(() => route.get(path, read)).toThrow(/path/)
  })

  test('when its list is sorted by what the table cannot be sorted by', () => {
    const page = async () => ({ items: [], total: 0, hasMore: false, last: null })
    const list = { ...read, handler: page }
    expect(() => route.get('/things', { ...list, list: { table: things, default: '-size' } })).toThrow(/sort/)
    expect(() => route.get('/things', { ...list, list: { table: things, default: '-title' } })).not.toThrow()
  })

  test('when reading takes a body', () => {
    expect(() => route.get('/things', { ...read, body: Thing })).toThrow(/body/)
  })

  test('when it describes a parameter that its path does not have', () => {
    expect(() => route.get('/things/{id}', { ...read, params: { name: Type.String() } })).toThrow(/parameter/)
  })
})

describe('what a route does not say', () => {
  test('is the careful choice', () => {
    expect(route.post('/things', write)).toMatchObject({
      rateClass: 'api',
      bodyLimit: 1_048_576,
      open: false,
      anyText: false,
      ownTransactions: false,
      whileSuspended: false,
      beforeSetup: false,
      guard: null,
      streams: null,
      errors: [],
    })
  })

  test('a public route is limited as a credential route and has no transaction of a tenant', () => {
    const open = route.post('/things', { ...read, permission: 'public' })
    expect([open.rateClass, open.ownTransactions]).toEqual(['credential', true])
  })

  test('a suspended tenant may still read', () => {
    expect(route.get('/things', read).whileSuspended).toBe(true)
  })
})

describe('a module', () => {
  const parts = {
    name: 'risk' as const,
    prefix: 'risk',
    errors: {},
    tables: [],
    migrations: [],
    emits: [],
    services: () => undefined,
  }

  test('places each route at its prefix, its own before the others', () => {
    const made = defineModule({
      ...parts,
      routes: [route.get('/things', read)],
      extraRoutes: { auth: [route.get('/login', read)] },
    })
    expect(made.routes.map(({ prefix, route: { path } }) => prefix + path)).toEqual(['risk/things', 'auth/login'])
  })

  test('that declares nothing more has no handlers, jobs or signals', async () => {
    const made = defineModule({ ...parts, routes: [] })
    expect([made.handles, made.jobs, made.signals, made.activities(undefined)]).toEqual([[], [], null, []])
  })

  test('is named by the key to its API', () => {
    expect(defineApi<{ readonly ask: () => void }>('iam')).toEqual({ module: 'iam' })
  })
})

test('an answer is its data and nothing else unless more is said', () => {
  expect(new Answer({ id: '1' })).toMatchObject({
    data: { id: '1' },
    meta: {},
    headers: {},
    location: null,
  })
})
