/**
 * Over random people, roles and calls: a person with rights the actor lacks stays exactly as they were, however
 * many calls the actor is allowed. The rules are called without the routes' own permission checks, so they hold alone.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { held } from '../../../../test/support/matrices.ts'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { Actor } from '../../../kernel/access/actor.ts'
import {
  allPermissions,
  intersection,
  listPermissions,
  missingFrom,
  permissionSet,
} from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { createApiKey } from '../api-keys/api-keys.ts'
import { changeApiKey, revokeApiKey } from '../api-keys/changes.ts'
import { changeRole, deleteRole } from '../roles/role-changes.ts'
import { createRole } from '../roles/roles.ts'
import type { IamServices } from '../services/iam-services.ts'
import { endSession } from '../sessions/sessions.ts'
import { changeUser, deactivateUser } from '../users/changes.ts'
import { createUser } from '../users/users.ts'
import { actorFor, rightsNow, type Scene, stage, stateOf } from './testing/escalation-scene.ts'

let world: World
let tenant: TestTenant
let services: IamServices

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('acme')
  services = world.program.assembled.modules.servicesOf('iam') as IamServices
})
afterAll(() => world.close())

const peopleCount = 4
const roleCount = 4
const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.kernel.db.tenant({ tenantId: tenant.id }, work)
const precondition = { expectVersion: () => {} }
const indexes = fc.nat({ max: peopleCount - 1 })
const names = fc.subarray([...allPermissions], { minLength: 1, maxLength: 6 })
const command = fc.record({
  call: fc.constantFrom(
    'roles',
    'profile',
    'status',
    'end date',
    'manager',
    'deactivate',
    'invite',
    'end session',
    'narrow key',
    'replace key',
    'revoke key',
    'change role',
    'rename role',
    'delete role',
    'new role',
  ),
  target: indexes,
  other: indexes,
  status: fc.constantFrom('active', 'suspended', 'deactivated'),
  permissions: names,
})
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never

/** One call by the actor on the scene. */
function perform(
  tx: Tx,
  actor: Actor,
  { scene, step }: { readonly scene: Scene; readonly step: Command },
): Promise<unknown> {
  const person = scene.people[step.target]
  const other = scene.people[step.other]
  const lapsed = scene.people.at(-1)
  const roleId = scene.roles[step.target]
  const otherRole = scene.roles[step.other]
  if (
    person === undefined ||
    other === undefined ||
    lapsed === undefined ||
    roleId === undefined ||
    otherRole === undefined
  ) {
    throw new Error('The scene is too small')
  }
  const change = (body: Parameters<typeof changeUser>[2]['body']) =>
    changeUser(services, tx, { actor, id: person.id, body, precondition })
  const key = { actor, id: person.keyId ?? person.id, precondition }
  const body = { name: `Role ${world.kernel.random.uuid()}`, permissions: [...step.permissions] }
  const calls: Readonly<Record<Command['call'], () => Promise<unknown>>> = {
    roles: () => change({ role_ids: [otherRole] }),
    profile: () => change({ display_name: 'After', department: 'Elsewhere' }),
    status: () => change({ status: step.status }),
    'end date': () => change({ expires_at: '2999-01-01T00:00:00.000Z' }),
    manager: () => change({ manager_id: other.id }),
    deactivate: () => deactivateUser(services, tx, { actor, id: person.id, precondition, transferTo: undefined }),
    invite: () => createUser(services, tx, { actor, body: { email: lapsed.email, role_ids: [otherRole] } }),
    'end session': () => endSession(services, tx, { actor, id: person.sessionId ?? person.id }),
    'narrow key': () => changeApiKey(services, tx, { ...key, body: { scopes: body.permissions } }),
    'replace key': () =>
      createApiKey(services, tx, { actor, body: { replaces_id: key.id, scopes: body.permissions, overlap_hours: 0 } }),
    'revoke key': () => revokeApiKey(services, tx, key),
    'change role': () =>
      changeRole(services, tx, { actor, id: roleId, body: { permissions: body.permissions }, precondition }),
    'rename role': () => changeRole(services, tx, { actor, id: roleId, body: { name: body.name }, precondition }),
    'delete role': () => deleteRole(services, tx, { actor, id: roleId, replaceWith: otherRole, precondition }),
    'new role': () => createRole(services, tx, { actor, body }),
  }
  return calls[step.call]()
}

/** Makes the call with the rights the actor had at the start and still has; returns whether it was allowed. */
async function attempt(start: Actor, call: { readonly scene: Scene; readonly step: Command }): Promise<boolean> {
  const now = await inTenant((tx) => rightsNow(services, tx, start.userId))
  const actor = {
    ...start,
    permissions: intersection(start.permissions, now.permissions),
    operator: start.operator && now.operator,
  }
  try {
    await inTenant((tx) => perform(tx, actor, call))
    return true
  } catch (error) {
    if (error instanceof ProblemError) return false
    throw error
  }
}

const lattice = fc.record({
  roles: fc.array(names, { minLength: roleCount, maxLength: roleCount }),
  holdings: fc.array(
    fc.record({
      roles: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
      operator: fc.nat({ max: 3 }).map((one) => one === 0),
    }),
    { minLength: peopleCount, maxLength: peopleCount },
  ),
  byKey: fc.boolean(),
  steps: fc.array(command, { minLength: 4, maxLength: 14 }),
})

test('C14 no sequence of allowed calls touches anybody who had more than the actor', async () => {
  const counts = { allowed: 0, refused: 0, greater: 0 }
  await fc.assert(
    fc.asyncProperty(lattice, async ({ byKey, steps, ...cast }) => {
      const scene = await inTenant((tx) => stage(services, tx, cast))
      const [first] = scene.people
      if (first === undefined) throw new Error('The scene is too small')
      const rights = await inTenant((tx) => rightsNow(services, tx, first.id))
      const own = { tenantId: tenant.id, userId: first.id }
      const scopes = permissionSet(listPermissions(rights.permissions).slice(0, 3))
      const actor =
        byKey && first.keyId !== null
          ? actorFor({ ...own, permissions: scopes, kind: 'api_key', keyId: first.keyId, authTime: null })
          : actorFor({ ...own, permissions: rights.permissions, operator: rights.operator, sessionId: first.sessionId })
      const look = () =>
        inTenant(async (tx) => {
          const seen: { readonly greater: boolean; readonly state: unknown }[] = []
          for (const person of scene.people) {
            const { permissions, operator } = await rightsNow(services, tx, person.id)
            const isSelf = actor.kind === 'user' && person.id === actor.userId
            const exceeds = missingFrom(actor.permissions, permissions).length > 0 || (operator && !actor.operator)
            seen.push({
              greater: exceeds && !isSelf,
              state: await stateOf(services, tx, { person, keyId: actor.keyId }),
            })
          }
          return seen
        })
      const before = await look()
      for (const step of steps) counts[(await attempt(actor, { scene, step })) ? 'allowed' : 'refused'] += 1
      const after = await look()
      before.forEach((was, index) => {
        if (!was.greater) return
        counts.greater += 1
        expect(after[index]?.state).toEqual(was.state)
      })
    }),
    { numRuns: 40 },
  )
  // The property is empty if no call is allowed or no person has more rights.
  expect(Math.min(counts.allowed, counts.refused, counts.greater)).toBeGreaterThan(30)
  held('calls of people on people', counts.allowed + counts.refused)
})
