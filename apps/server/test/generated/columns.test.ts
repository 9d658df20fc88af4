/** Bodies that name a table's columns: only declared members are accepted. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { modules } from '../../src/modules.ts'
import { held } from '../support/matrices.ts'
import { openWorld, type World } from '../support/world.ts'
import { differsFrom, failuresOf } from './each-route.ts'
import { type DeclaredRoute, declaredRoutes, fill, hasBody, isPublic } from './manifest.ts'
import type { Ids } from './module-cases.ts'
import { sampleBody } from './samples.ts'
import { isJson } from './schema-values.ts'
import { withScimKey } from './tenant-data.ts'

let world: World
let admin: Awaited<ReturnType<typeof withScimKey>>
const nobodys: Ids = new Proxy({}, { get: () => randomUUID() })

beforeAll(async () => {
  world = await openWorld({ own: true })
  admin = await withScimKey((await world.tenant('alpha')).admin)
})
afterAll(() => world.close())

/** Values that would give a caller more rights, or change age, owner or approval, if they were accepted. */
const telling = [
  ...['id', 'tenant_id', 'created_at', 'updated_at', 'created_by', 'updated_by', 'version', 'revision', 'is_admin'],
  ...[
    'is_builtin',
    'role',
    'roles',
    'permissions',
    'operator',
    'status',
    'password_hash',
    'secret_hash',
    'verified_at',
  ],
]

const kernelTables = schemaOf([]).tables

/** Columns of the tables of the route's module, and of those that all modules write. */
function columnsFor({ module }: DeclaredRoute): readonly string[] {
  const own = modules.find(({ name }) => name === module)?.tables ?? []
  const columns = [...own, ...kernelTables].flatMap(({ row }) => Object.keys(row.properties))
  return [...new Set([...telling, ...columns])].sort()
}

function declaredBy({ route }: DeclaredRoute): ReadonlySet<string> {
  const schema: unknown = route.body
  return new Set(isJson(schema) && isJson(schema.properties) ? Object.keys(schema.properties) : [])
}

/** Of closed objects; bodies fixed by a standard or a vendor take any member and ignore it. */
const isClosed = (declared: DeclaredRoute): boolean => hasBody(declared) && !declared.route.open

/** So many members a refusal surely names. */
const atOnce = 6

it('C30 names every column in a body that the route does not declare, and takes none of them', async () => {
  let cases = 0
  const failures = await failuresOf(isClosed, async (declared) => {
    const known = declaredBy(declared)
    const names = columnsFor(declared).filter((name) => !known.has(name))
    const client = isPublic(declared) ? world.stranger : admin
    const faults: string[] = []
    const every = Object.fromEntries(names.map((name) => [name, 'planted']))
    const whole = await client.send(declared.route.method, fill(declared.path, nobodys), {
      body: { ...sampleBody(declared, nobodys), ...every },
    })
    faults.push(...differsFrom(whole, { status: 400, code: 'API-001' }, 'all at once'))
    for (let at = 0; at < names.length; at += atOnce) {
      const some = names.slice(at, at + atOnce)
      const strange = Object.fromEntries(some.map((name) => [name, 'planted']))
      const body = { ...sampleBody(declared, nobodys), ...strange }
      const answer = await client.send(declared.route.method, fill(declared.path, nobodys), { body })
      cases += some.length
      for (const name of some)
        faults.push(...differsFrom(answer, { status: 400, code: 'API-001', pointer: `/${name}` }, name))
    }
    return faults
  })
  held('columns posted to routes that do not declare them', cases)
  expect(failures).toEqual([])
}, 240_000)

it('C30 declares what makes somebody more at these routes and no others', () => {
  const grave = new Set(['id', 'tenant_id', 'created_at', 'updated_at', 'created_by', 'is_admin', 'role', 'operator'])
  const declaring = declaredRoutes
    .filter(isClosed)
    .flatMap((declared) =>
      [...declaredBy(declared)].filter((name) => grave.has(name)).map((name) => `${declared.name} ${name}`),
    )
  expect(declaring).toEqual([
    // A role by its name: granted as one named by its id is, within what the caller may grant.
    'POST /api/v1/iam/users role',
    // Whose data key, and whose rows of a backup: another tenant's are for operators.
    'POST /api/v1/admin/keys/rotate tenant_id',
    'POST /api/v1/admin/backups/{backup_id}/restore tenant_id',
  ])
})
