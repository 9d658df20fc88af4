import { describe, expect, test } from 'vitest'
import { everyPermission, listPermissions, permissionSet } from '../access/permissions.ts'
import { ProblemError } from '../errors/problem.ts'
import { assertFresh, assertFreshSession } from './fresh.ts'
import { operatorRights, viewer, type World, world } from './testing/auth-world.ts'

const job = { kind: 'platform.workflow_run', id: 'run-1' }

function act(here: World, ceiling = permissionSet(['risk:read', 'gateway:admin'])) {
  return here.auth.actAs({ tenantId: here.tenantId, userId: here.userId, ceiling, job })
}
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ProblemError ? error.code : String(error)),
  )

describe('C12 a job that acts for a user', () => {
  test('may do what both the user and the ceiling allow', async () => {
    const here = await world()
    const actor = await act(here)
    expect(listPermissions(actor.permissions)).toEqual(['risk:read'])
    expect(actor).toMatchObject({ kind: 'job', userId: here.userId, tenantId: here.tenantId, job, keyId: null })
  })

  test('has the rights of this moment, also where memory holds older ones', async () => {
    const here = await world()
    await act(here)
    here.people.rights.set(here.subject, { ...viewer, permissions: permissionSet(['iam:read']) })
    expect(listPermissions((await act(here)).permissions)).toEqual([])
  })

  test('is refused when the account or its tenant is suspended or gone', async () => {
    const here = await world()
    for (const rights of [
      { ...viewer, active: false },
      { ...viewer, tenantStatus: 'suspended' as const },
      { ...viewer, tenantStatus: 'deleted' as const },
    ]) {
      here.people.rights.set(here.subject, rights)
      expect(await refusal(act(here))).toBe('AUTH-018')
    }
    here.people.rights.delete(here.subject)
    expect(await refusal(act(here))).toBe('AUTH-018')
    here.people.state.down = true
    expect(await refusal(act(here))).toBe('API-009')
  })

  test('is no operator and passes no check of fresh authentication', async () => {
    const here = await world(operatorRights)
    const actor = await act(here, everyPermission)
    expect(actor.operator).toBe(false)
    expect(() => assertFresh(actor, here.clock)).toThrow()
    expect(() => assertFreshSession(actor, here.clock)).toThrow()
  })
})

test('a job that acts for a service account is that agent', async () => {
  const here = await world({ ...viewer, isService: true })
  expect((await act(here)).agentId).toBe(here.userId)
})
