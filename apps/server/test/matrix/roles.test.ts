import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltinRoleName, builtinRoleNames } from '../../src/kernel/access/actor.ts'
import { allPermissions } from '../../src/kernel/access/permissions.ts'
import { failuresOf, refusalIn } from '../generated/each-route.ts'
import { type DeclaredRoute, declaredRoutes, fill } from '../generated/manifest.ts'
import type { TestClient } from '../support/client.ts'
import { held } from '../support/matrices.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../support/world.ts'
import { both, verdict } from './verdict.ts'

/** Levels per module as reviewed: r read, w write, a admin, - none, in the order of the catalogue. */
const reviewed: Readonly<Record<BuiltinRoleName, string>> = {
  // iam gateway trust aegis compliance risk resilience svc-ai platform admin cybertwins data-gov
  super_admin: 'a a a a a a a a a a a a',
  tenant_admin: 'a a a a a a a a a a a a',
  security_admin: 'w a w a r w a r w r a r',
  security_analyst: 'r w r w r w w r r - w r',
  compliance_officer: 'r r r r a w r r r r r a',
  risk_manager: '- r r r w a r r r - w r',
  ai_engineer: '- w r w - - - w r - - r',
  auditor: 'r r r r r r r r r r r r',
  viewer: '- r r r r r r r r - r r',
}

const modules = [...new Set(allPermissions.map((permission) => permission.split(':')[0] ?? ''))]
const levelNames: Readonly<Record<string, string>> = { r: 'read', w: 'write', a: 'admin' }

function permissionsOf(role: BuiltinRoleName): readonly string[] {
  return reviewed[role].split(' ').flatMap((letter, index) => {
    const level = levelNames[letter]
    return level === undefined ? [] : [`${modules[index]}:${level}`]
  })
}

interface Caller {
  readonly name: string
  readonly client: TestClient
  /** Null without a credential. */
  readonly held: readonly string[] | null
  /** Of a service account. */
  readonly isService?: boolean
}

let world: OwnWorld
let alpha: TestTenant
const callers: Caller[] = []

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await world.tenant('alpha')
  callers.push({ name: 'a stranger', client: world.stranger, held: null })
  for (const role of builtinRoleNames) {
    const client = await (role === 'super_admin' ? world.root : alpha).as(role)
    callers.push({ name: role, client, held: permissionsOf(role) })
  }
  for (let index = 0; index < 6; index += 1) callers.push(await serviceAccount(index))
  for (const permission of ['iam:read', 'gateway:write', 'trust:read'])
    callers.push({
      name: `a key for ${permission}`,
      client: await keyOf(alpha.admin, [permission]),
      held: [permission],
    })
})
afterAll(() => world.close())

/** A small generator with a fixed seed, so that a failure can be looked at again. */
let state = 20_261_120
function chance(share: number): boolean {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32 < share
}

async function serviceAccount(index: number): Promise<Caller> {
  const pick = (share: number) => {
    const picked = allPermissions.filter(() => chance(share))
    return picked.length > 0 ? picked : allPermissions.slice(0, 1)
  }
  const permissions = pick(0.3)
  const scopes = pick(0.6)
  const role = expectStatus(await alpha.admin.post('/iam/roles', { name: `Custom ${index}`, permissions }), 201)
  const account = { type: 'service', role_ids: [role.body.data.id], display_name: `Custom ${index}` }
  const { id } = expectStatus(await alpha.admin.post('/iam/users', account), 201).body.data
  const client = await keyOf(alpha.admin, scopes, id)
  const name = `custom role ${permissions} with scopes ${scopes}`
  return { name, client, held: both(permissions, scopes), isService: true }
}

async function keyOf(admin: TestClient, scopes: readonly string[], owner?: string): Promise<TestClient> {
  const body = { name: `Key ${scopes}`.slice(0, 100), scopes, ...(owner === undefined ? {} : { owner_id: owner }) }
  return world.stranger.with(expectStatus(await admin.post('/iam/api-keys', body), 201).body.data.secret)
}

/** Refused by the declaration, or by the input check that comes after it; nothing is done either way. */
async function answerTo(declared: DeclaredRoute, client: TestClient): Promise<string> {
  const ids = Object.fromEntries(declared.params.map((name) => [name, '01890000-0000-7000-8000-000000000000']))
  const answer = await client.send(declared.route.method, fill(declared.path, ids), {
    options: { query: { undeclared: '1' } },
  })
  const refused = refusalIn(answer.body)
  return answer.status === 400 && refused.isAt('?undeclared') ? 'passes' : `${refused.code}`
}

it('C13 lets every caller do what the declaration of the route and their rights say, and nothing else', async () => {
  let cases = 0
  const failures = await failuresOf(
    () => true,
    async (declared) => {
      const faults: string[] = []
      for (const { name, client, held, isService } of callers) {
        const expected = verdict(declared.route.permission, held, isService)
        const given = await answerTo(declared, client)
        cases += 1
        if (given !== expected) faults.push(`${name} gets ${given}, not ${expected}`)
      }
      return faults
    },
  )
  held('pairs of caller and route', cases)
  expect(cases).toBe(callers.length * declaredRoutes.length)
  expect(failures).toEqual([])
})

it('C13 judges by the route that matched and not by headers that name another method', async () => {
  const viewer = await alpha.as('viewer')
  const names = ['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-url', 'x-rewrite-url']
  for (const name of names) {
    const answer = await viewer.get('/trust/scores/current', {
      headers: { [name]: name.endsWith('url') ? '/api/v1/iam/users' : 'DELETE' },
    })
    expect([name, answer.status]).toEqual([name, 200])
  }
})

it('C13 shows in the role list what was reviewed', async () => {
  const listed: readonly { name: string; permissions: readonly string[] }[] = expectStatus(
    await alpha.admin.get('/iam/roles', { query: { builtin: 'true' } }),
    200,
  ).body.data
  const byName = Object.fromEntries(listed.map(({ name, permissions }) => [name, [...permissions].sort()]))
  expect(byName).toEqual(Object.fromEntries(builtinRoleNames.map((name) => [name, [...permissionsOf(name)].sort()])))
})
