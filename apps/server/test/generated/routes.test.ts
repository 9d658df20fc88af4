import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isPermission, type Permission } from '../../src/kernel/access/permissions.ts'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { type OwnWorld, openWorld } from '../support/world.ts'
import { differsFrom, failuresOf, refusalIn, told } from './each-route.ts'
import { keyWithout } from './keys.ts'
import {
  type DeclaredRoute,
  declaredRoutes,
  fill,
  hasBody,
  isList,
  isPublic,
  querySchema,
  routesAt,
} from './manifest.ts'
import type { Ids } from './module-cases.ts'
import { casesAmong } from './module-cases.ts'
import { sampleBody, unusedSamples } from './samples.ts'
import { valueFor } from './schema-values.ts'
import { withScimKey } from './tenant-data.ts'

let world: OwnWorld
let admin: TestClient
/** Well-formed and unused. */
const ids: Ids = new Proxy({}, { get: () => randomUUID() })

beforeAll(async () => {
  world = await openWorld({ own: true })
  admin = await withScimKey((await world.tenant('alpha')).admin)
})
afterAll(() => world.close())

interface Changed {
  readonly client?: TestClient
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
}

/** Calls the route as its declaration wants it, except for the changes of the case. */
function call(declared: DeclaredRoute, changed: Changed = {}): Promise<TestAnswer> {
  const { client = isPublic(declared) ? world.stranger : admin } = changed
  const body = 'body' in changed ? changed.body : sampleBody(declared, ids)
  return client.send(declared.route.method, changed.path ?? fill(declared.path, ids), {
    body,
    options: { query: { ...requiredQuery(declared), ...changed.query }, headers: changed.headers ?? {} },
  })
}

/** Required members of a query. */
function requiredQuery(declared: DeclaredRoute): Readonly<Record<string, string>> {
  const query = valueFor(querySchema(declared) ?? { type: 'object' }, { n: 1, full: false, idFor: () => randomUUID() })
  return Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]))
}

const everyRoute = () => true
const isProtected = (declared: DeclaredRoute) => !isPublic(declared)

it(`has a sample for each of the ${declaredRoutes.length} routes and none for one that is gone`, () => {
  expect(unusedSamples(new Set(declaredRoutes.map(({ name }) => name)))).toEqual([])
})

/** Names that documents for everybody take as they come. */
const constants = casesAmong('constants')

/** No caller here may use routes for agents alone, so their bodies are not read. */
const takesBody = (declared: DeclaredRoute): boolean => hasBody(declared) && declared.route.permission !== 'agent'

it('C13 answers 401 AUTH-001 on every route that is not public when there is no credential', async () => {
  const failures = await failuresOf(isProtected, async (declared) =>
    differsFrom(await call(declared, { client: world.stranger }), { status: 401, code: 'AUTH-001' }),
  )
  expect(failures).toEqual([])
})

it('C13 answers 401 AUTH-002 on every route that is not public when the credential is made up', async () => {
  const failures = await failuresOf(isProtected, async (declared) => {
    const bearer = await call(declared, { client: world.stranger.with('made-up') })
    const key = await call(declared, { client: world.stranger, headers: { 'x-api-key': 'made-up' } })
    const wanted = { status: 401, code: 'AUTH-002' }
    return [...differsFrom(bearer, wanted, 'a made-up token'), ...differsFrom(key, wanted, 'a made-up key')]
  })
  expect(failures).toEqual([])
})

it('C13 answers 403 AUTH-004 naming the permission to a caller who has all others', async () => {
  const withoutOne = new Map<Permission, TestClient>()
  const without = async (permission: Permission): Promise<TestClient> => {
    const known = withoutOne.get(permission) ?? (await keyWithout(admin, world, permission))
    withoutOne.set(permission, known)
    return known
  }
  const failures = await failuresOf(
    ({ route }) => isPermission(route.permission),
    async (declared) => {
      const { permission } = declared.route
      if (!isPermission(permission)) return []
      const answer = await call(declared, { client: await without(permission) })
      // A vendor's form has no room for the member beside the text.
      const members = declared.route.raw === null ? [answer.body?.permission, answer.body?.detail] : [answer.text]
      const named = members.every((member) => typeof member === 'string' && member.includes(permission))
      return [
        ...differsFrom(answer, { status: 403, code: 'AUTH-004' }),
        ...(named ? [] : [`the refusal does not name ${permission}: ${answer.text}`]),
      ]
    },
  )
  expect(failures).toEqual([])
})

it('C11 answers 403 AUTH-005 when the header names another tenant than the credential', async () => {
  const failures = await failuresOf(isProtected, async (declared) => {
    const answer = await call(declared, { headers: { 'x-tenant-id': world.root.id } })
    return differsFrom(answer, { status: 403, code: 'AUTH-005' })
  })
  expect(failures).toEqual([])
})

it('C20 answers 400 API-001 pointing at a query parameter that is not declared', async () => {
  // No caller here may use routes for agents alone.
  const open = (declared: DeclaredRoute) => declared.route.permission !== 'agent'
  const failures = await failuresOf(open, async (declared) =>
    differsFrom(await call(declared, { query: { undeclared: '1' } }), {
      status: 400,
      code: 'API-001',
      pointer: '?undeclared',
    }),
  )
  expect(failures).toEqual([])
})

it('C20 C30 answers 400 API-001 pointing at a body field that is not declared', async () => {
  const failures = await failuresOf(
    (declared) => hasBody(declared) && !declared.route.open,
    async (declared) => {
      const answer = await call(declared, { body: { ...sampleBody(declared, ids), undeclared: true } })
      return differsFrom(answer, { status: 400, code: 'API-001', pointer: '/undeclared' })
    },
  )
  expect(failures).toEqual([])
})

it('C20 C32 answers 400 to a body that two parsers could read in two ways', async () => {
  const twice = 'The member appears twice.'
  const forbidden = 'This member name is not allowed.'
  const bodies = [
    ['{"a":1,"a":2}', '/a', twice],
    ['{"a":1,"\\u0061":2}', '/a', twice],
    ['{"__proto__":{"a":1}}', '/__proto__', forbidden],
    ['{"constructor":1}', '/constructor', forbidden],
  ] as const
  const failures = await failuresOf(takesBody, async (declared) => {
    const faults: string[] = []
    for (const [body, pointer, detail] of bodies) {
      const answer = await call(declared, { body })
      faults.push(...differsFrom(answer, { status: 400, code: 'API-001', pointer }, body))
      const said = refusalIn(answer.body).detail
      // A vendor's one text is that of the whole.
      if (declared.route.raw === null && said !== detail) faults.push(`${body} gave ${told(answer)}`)
    }
    return faults
  })
  expect(failures).toEqual([])
})

it('C20 answers 400 API-002 to a body that is not JSON and API-001 to JSON that is not an object', async () => {
  const failures = await failuresOf(takesBody, async (declared) => [
    ...differsFrom(await call(declared, { body: '{"a":' }), { status: 400, code: 'API-002' }),
    ...differsFrom(await call(declared, { body: '[]' }), { status: 400, code: 'API-001' }),
    ...differsFrom(await call(declared, { body: '"text"' }), { status: 400, code: 'API-001' }),
  ])
  expect(failures).toEqual([])
})

it('C20 answers 415 API-006 to a body of another media type', async () => {
  const failures = await failuresOf(takesBody, async (declared) => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data']
    const answers = await Promise.all(
      types.map((type) => call(declared, { body: '{}', headers: { 'content-type': type } })),
    )
    return answers.flatMap((answer, index) => differsFrom(answer, { status: 415, code: 'API-006' }, types[index]))
  })
  expect(failures).toEqual([])
})

it('C22 answers 413 API-005 to a body one byte over the declared limit', async () => {
  const failures = await failuresOf(takesBody, async (declared) => {
    const { bodyLimit } = declared.route
    const limit = bodyLimit === 'model_call' ? 10_485_760 : bodyLimit
    const body = JSON.stringify({ a: 'x'.repeat(limit - 7) })
    expect(Buffer.byteLength(body)).toBe(limit + 1)
    const answer = await call(declared, { body })
    // A limit that is not the one that holds would send people looking in the wrong place.
    const told = answer.text.includes(`larger than ${limit} bytes`) ? [] : [`${declared.name} names another limit`]
    return [...differsFrom(answer, { status: 413, code: 'API-005' }), ...told]
  })
  expect(failures).toEqual([])
})

it('answers 400 API-003 to a cursor that it did not issue', async () => {
  const failures = await failuresOf(isList, async (declared) => {
    const cursors = ['made-up', 'AAAA', 'eyJhIjoxfQ.c2ln', 'é', '.', 'A'.repeat(2000)]
    const answers = await Promise.all(cursors.map((cursor) => call(declared, { query: { cursor } })))
    return answers.flatMap((answer, index) => differsFrom(answer, { status: 400, code: 'API-003' }, cursors[index]))
  })
  expect(failures).toEqual([])
})

it('C20 answers 400 pointing at a limit that is not a whole number from 1 to 200, and at an unknown sort', async () => {
  const failures = await failuresOf(isList, async (declared) => {
    const limits = ['0', '201', '-1', '0x10', '1.5', '1e1', ' 1', '1 ', '', '01', 'NaN', '99999999999999999999']
    const wanted = { status: 400, code: 'API-001' }
    const answers = await Promise.all(limits.map((limit) => call(declared, { query: { limit } })))
    return [
      ...answers.flatMap((answer, at) => differsFrom(answer, { ...wanted, pointer: '?limit' }, `limit=${limits[at]}`)),
      ...differsFrom(await call(declared, { query: { sort: 'tenant_id' } }), { ...wanted, pointer: '?sort' }),
      ...differsFrom(await call(declared, { path: `${fill(declared.path, ids)}?limit=1&limit=2` }), {
        ...wanted,
        pointer: '?limit',
      }),
    ]
  })
  expect(failures).toEqual([])
})

it('answers 404 API-013 to an id that nothing has and to one that is no id', async () => {
  const noIds = ['no-id', '0', 'null', `${randomUUID()}0`, randomUUID().toUpperCase(), '1%20or%201=1', '%00']
  const failures = await failuresOf(
    ({ params, route }) => params.some((name) => !constants.has(name)) && route.permission !== 'agent',
    async (declared) => {
      const wanted = { status: 404, code: 'API-013' }
      const found = differsFrom(await call(declared), wanted, 'an unknown id')
      const answers = await Promise.all(
        noIds.map((id) => call(declared, { path: declared.path.replaceAll(/\{\w+\}/g, id) })),
      )
      return [...found, ...answers.flatMap((answer, index) => differsFrom(answer, wanted, noIds[index]))]
    },
  )
  expect(failures).toEqual([])
})

it('C45 answers 405 API-010 with Allow to the methods that nobody declared at an address', async () => {
  const failures = await failuresOf(everyRoute, async (declared) => {
    const path = fill(declared.path, ids)
    const allowed = new Set<string>(routesAt(path).map(({ route }) => route.method))
    const methods = (['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const).filter((method) => !allowed.has(method))
    const answers = await Promise.all(methods.map((method) => admin.send(method, path, {})))
    return answers.flatMap((answer, index) => [
      ...differsFrom(answer, { status: 405, code: 'API-010' }, methods[index]),
      ...(answer.headers.allow?.split(', ').sort().join() === [...allowed].sort().join()
        ? []
        : [`${methods[index]} says Allow: ${answer.headers.allow}`]),
    ])
  })
  expect(failures).toEqual([])
})
