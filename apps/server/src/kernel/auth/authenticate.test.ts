import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  everyPermission,
  holds,
  listPermissions,
  noPermissions,
  type Permission,
  permissionSet,
} from '../access/permissions.ts'
import { bearer, operatorRights, outcome, request, viewer, world } from './testing/auth-world.ts'

describe('a token', () => {
  test('makes the caller with the rights of now', async () => {
    const here = await world()
    expect(await here.auth.authenticate(bearer(await here.sign()))).toMatchObject({
      kind: 'user',
      userId: here.userId,
      tenantId: here.tenantId,
      homeTenantId: here.tenantId,
      role: 'viewer',
      keyId: null,
      amr: ['pwd'],
      authTime: Math.floor(here.clock.now() / 1000),
      operator: false,
      tenantStatus: 'active',
    })
  })

  test('costs no promise and no question once it is known', async () => {
    const here = await world()
    const given = bearer(await here.sign())
    await here.auth.authenticate(given)
    const asked = here.people.state.asked
    const actor = here.auth.authenticate(given)
    expect(actor instanceof Promise).toBe(false)
    expect(here.auth.authenticate(given)).toBe(actor)
    expect(here.people.state.asked).toBe(asked)
  })

  test('that has ended is AUTH-003, known or not', async () => {
    const here = await world()
    const given = bearer(await here.sign())
    expect(await outcome(here, given)).toBe('accepted')
    here.clock.advance(3_605_000)
    expect(await outcome(here, given)).toBe('401 AUTH-003')
  })

  test('C12 claims more than the roles give: the roles count, and a promotion waits for a new token', async () => {
    const here = await world()
    const given = bearer(await here.sign(['risk:read', 'gateway:admin']))
    const actor = await here.auth.authenticate(given)
    expect(listPermissions(actor.permissions)).toEqual(['risk:read'])
  })

  test('C12 a demotion counts on the next request', async () => {
    const here = await world()
    const given = bearer(await here.sign())
    expect(holds((await here.auth.authenticate(given)).permissions, 'risk:write')).toBe(true)
    here.people.rights.set(here.subject, { ...viewer, permissions: permissionSet(['risk:read']) })
    const tx = here.tx()
    await here.auth.rightsChanged(tx, here.userId)
    tx.commit()
    expect(listPermissions((await here.auth.authenticate(given)).permissions)).toEqual(['risk:read'])
  })

  test.each(['role:018f3c2e', 'tenant:own'])('a change of %s reaches every subject of the tenant', async (key) => {
    const here = await world()
    const given = bearer(await here.sign())
    await here.auth.authenticate(given)
    here.people.rights.set(here.subject, { ...viewer, permissions: noPermissions })
    const tx = here.tx()
    await here.auth.rightsChanged(tx, key)
    tx.commit()
    expect((await here.auth.authenticate(given)).permissions).toBe(noPermissions)
  })

  test('rights are read anew after a minute even when nobody announced a change', async () => {
    const here = await world()
    const given = bearer(await here.sign())
    await here.auth.authenticate(given)
    here.people.rights.set(here.subject, { ...viewer, active: false })
    here.clock.advance(59_000)
    expect(await outcome(here, given)).toBe('accepted')
    here.clock.advance(1_000)
    expect(await outcome(here, given)).toBe('401 AUTH-002')
  })

  test.each([
    ['nobody', null],
    ['somebody inactive', { ...viewer, active: false }],
    ['a member of a deleted tenant', { ...viewer, tenantStatus: 'deleted' as const }],
  ])('of %s is AUTH-002', async (_, rights) => {
    const here = await world()
    const given = bearer(await here.sign())
    if (rights === null) here.people.rights.clear()
    else here.people.rights.set(here.subject, rights)
    expect(await outcome(here, given)).toBe('401 AUTH-002')
  })

  test.each(['suspended', 'pending_deletion'] as const)(
    'of a tenant that is %s passes and says so',
    async (tenantStatus) => {
      const here = await world({ ...viewer, tenantStatus })
      expect((await here.auth.authenticate(bearer(await here.sign()))).tenantStatus).toBe(tenantStatus)
    },
  )
})

describe('which credential counts', () => {
  test('none is AUTH-001, one that cannot be read is AUTH-002', async () => {
    const here = await world()
    expect(await outcome(here, request({}))).toBe('401 AUTH-001')
    expect(await outcome(here, request({ authorization: '', apiKey: '' }))).toBe('401 AUTH-001')
    for (const authorization of [
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      'Bearer  x',
      'Bearer x y',
      'Bearer x\n',
      'x',
      'Bearer ppt_x',
    ]) {
      expect(await outcome(here, request({ authorization }))).toBe('401 AUTH-002')
    }
    expect(await outcome(here, request({ apiKey: await here.sign() }))).toBe('401 AUTH-002')
  })

  test('a key may stand in either header or the same in both', async () => {
    const here = await world()
    const { text } = here.newKey()
    for (const given of [bearer(text), request({ apiKey: text }), bearer(text, { apiKey: text })]) {
      expect(await outcome(here, given)).toBe('accepted')
    }
    expect(await outcome(here, request({ authorization: `bearer ${text}` }))).toBe('accepted')
  })

  test('two different credentials are refused, good as each may be', async () => {
    const here = await world()
    const [one, two] = [here.newKey(), here.newKey()]
    expect(await outcome(here, bearer(one.text, { apiKey: two.text }))).toBe('401 AUTH-002')
    expect(await outcome(here, bearer(await here.sign(), { apiKey: one.text }))).toBe('401 AUTH-002')
    expect(await outcome(here, request({ authorization: 'Basic YTpi', apiKey: one.text }))).toBe('401 AUTH-002')
  })
})

describe('C11 X-Tenant-ID', () => {
  const other = '018f3c2e-7a51-7cc4-9d1e-0242ac120002'

  test('may repeat the own tenant and name no other', async () => {
    const here = await world()
    const token = await here.sign()
    expect(await outcome(here, bearer(token, { tenantHeader: here.tenantId.toUpperCase() }))).toBe('accepted')
    for (const tenantHeader of [other, 'x', '*', `${here.tenantId},${other}`, ` ${here.tenantId}`]) {
      expect(await outcome(here, bearer(token, { tenantHeader }))).toBe('403 AUTH-005')
    }
  })

  test('of an operator switches to a tenant that exists', async () => {
    const here = await world(operatorRights)
    const token = await here.sign()
    expect(await outcome(here, bearer(token, { tenantHeader: other }))).toBe('404 API-013')
    expect(await outcome(here, bearer(token, { tenantHeader: 'x' }))).toBe('403 AUTH-005')
    here.people.state.tenants.add(other)
    expect(await here.auth.authenticate(bearer(token, { tenantHeader: other }))).toMatchObject({
      tenantId: other,
      homeTenantId: here.tenantId,
      operator: true,
    })
    // The switch is of one request.
    expect((await here.auth.authenticate(bearer(token))).tenantId).toBe(here.tenantId)
  })

  test('does not switch a narrow key or an older token of an operator', async () => {
    const here = await world(operatorRights)
    here.people.state.tenants.add(other)
    for (const token of [here.newKey().text, await here.sign(['risk:read'])]) {
      expect(await outcome(here, bearer(token, { tenantHeader: other }))).toBe('403 AUTH-005')
    }
  })

  test('is looked at only after the credential', async () => {
    const here = await world()
    expect(await outcome(here, bearer('x', { tenantHeader: 'x' }))).toBe('401 AUTH-002')
    expect(await outcome(here, request({ tenantHeader: other }))).toBe('401 AUTH-001')
  })
})

test('C12 whatever a credential claims and roles give, the caller has no right that one of them lacks', async () => {
  const names = listPermissions(everyPermission)
  const some = fc.subarray<Permission>(names)
  await fc.assert(
    fc.asyncProperty(some, some, async (claimed, given) => {
      const here = await world({ ...viewer, permissions: permissionSet(given) })
      const { permissions } = await here.auth.authenticate(bearer(await here.sign(claimed)))
      for (const name of names) {
        const both = holds(permissionSet(claimed), name) && holds(permissionSet(given), name)
        expect(holds(permissions, name)).toBe(both)
      }
    }),
    { numRuns: 100 },
  )
})
