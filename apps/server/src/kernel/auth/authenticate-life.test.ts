import { describe, expect, test } from 'vitest'
import type { Actor, TenantId } from '../access/actor.ts'
import { noPermissions } from '../access/permissions.ts'
import { bearer, operatorRights, outcome, viewer, world } from './testing/auth-world.ts'

describe('C03 revocation', () => {
  test.each(['session', 'user', 'tenant', 'platform'] as const)(
    'of the %s ends a known token on the next request',
    async (scope) => {
      const here = await world()
      const given = bearer(await here.sign())
      const actor = await here.auth.authenticate(given)
      const subjects = { session: actor.sessionId ?? '', user: here.userId, tenant: here.tenantId, platform: 'all' }
      const tx = here.tx()
      await here.auth.revoke(tx, scope, subjects[scope])
      expect(await outcome(here, given)).toBe('accepted')
      tx.commit()
      expect(await outcome(here, given)).toBe('401 AUTH-002')
      expect(await outcome(here, bearer(await here.sign()))).toBe('accepted')
    },
  )

  test('is asked of the table for each request while the feed is silent', async () => {
    const here = await world()
    const given = bearer(await here.sign())
    await here.auth.authenticate(given)
    here.feed.silence = 5_001
    expect(await outcome(here, given)).toBe('accepted')
    here.table.revoked = true
    expect(await outcome(here, given)).toBe('401 AUTH-002')
    here.table.down = true
    expect(await outcome(here, given)).toBe('503 API-009')
  })

  test('rights in memory are not believed while the feed is silent', async () => {
    const here = await world()
    const given = bearer(await here.sign())
    await here.auth.authenticate(given)
    here.people.rights.set(here.subject, { ...viewer, active: false })
    here.feed.silence = 5_001
    expect(await outcome(here, given)).toBe('401 AUTH-002')
  })
})

test('a source that cannot answer is API-009, and so is an installation that is not set up', async () => {
  const here = await world()
  here.people.state.down = true
  expect(await outcome(here, bearer(await here.sign()))).toBe('503 API-009')
  expect(await outcome(here, bearer(here.newKey().text))).toBe('503 API-009')
  here.people.state.down = false
  here.people.state.setUp = false
  expect(here.auth.isSetUp()).toBe(false)
  expect(await outcome(here, bearer(await here.sign()))).toBe('503 API-009')
})

describe('a socket', () => {
  test('gets the caller and the moment the credential ends', async () => {
    const here = await world()
    const { actor, expiresAt } = await here.auth.authenticateToken(await here.sign(), '203.0.113.9')
    expect([actor.userId, expiresAt]).toEqual([here.userId, Math.floor(here.clock.now() / 1000) + 3_600])
    const ending = here.newKey({ expiresAt: 1_800_000_000 })
    expect((await here.auth.authenticateToken(ending.text, '203.0.113.9')).expiresAt).toBe(1_800_000_000)
    expect((await here.auth.authenticateToken(here.newKey().text, '203.0.113.9')).expiresAt).toBeNull()
    await expect(here.auth.authenticateToken('', '203.0.113.9')).rejects.toThrow('not valid')
  })

  test('keeps its caller with the rights of now until one of them ends', async () => {
    const here = await world()
    const { actor, expiresAt } = await here.auth.authenticateToken(await here.sign(), '203.0.113.9')
    const asked = here.people.state.asked
    expect(await here.auth.refresh(actor, expiresAt, '203.0.113.9')).toEqual(actor)
    expect(here.people.state.asked).toBe(asked)
    here.people.rights.set(here.subject, { ...viewer, permissions: noPermissions })
    const changed = here.tx()
    await here.auth.rightsChanged(changed, here.userId)
    changed.commit()
    expect((await here.auth.refresh(actor, expiresAt, '203.0.113.9'))?.permissions).toBe(noPermissions)
    const revoked = here.tx()
    await here.auth.revoke(revoked, 'session', actor.sessionId ?? '')
    revoked.commit()
    expect(await here.auth.refresh(actor, expiresAt, '203.0.113.9')).toBeNull()
  })

  test('ends with its token', async () => {
    const here = await world()
    const { actor, expiresAt } = await here.auth.authenticateToken(await here.sign(), '203.0.113.9')
    here.clock.advance(3_600_000)
    expect(await here.auth.refresh(actor, expiresAt, '203.0.113.9')).toBeNull()
  })

  test('of a key ends with the key and narrows with it', async () => {
    const here = await world()
    const { text, stored, keyId } = here.newKey()
    const { actor } = await here.auth.authenticateToken(text, '203.0.113.9')
    here.people.keys.set(keyId, { ...stored, scopes: noPermissions })
    const changed = here.tx()
    await here.auth.rightsChanged(changed, `key:${stored.id}`)
    changed.commit()
    expect((await here.auth.refresh(actor, null, '203.0.113.9'))?.permissions).toBe(noPermissions)
    const revoked = here.tx()
    await here.auth.revoke(revoked, 'key', stored.id)
    revoked.commit()
    expect(await here.auth.refresh(actor, null, '203.0.113.9')).toBeNull()
  })

  test('of a key ends where its networks no longer reach', async () => {
    const here = await world()
    const { text, stored, keyId } = here.newKey()
    const { actor } = await here.auth.authenticateToken(text, '203.0.113.9')
    here.people.keys.set(keyId, { ...stored, allowedCidrs: ['10.0.0.0/8'] })
    const changed = here.tx()
    await here.auth.rightsChanged(changed, `key:${stored.id}`)
    changed.commit()
    expect(await here.auth.refresh(actor, null, '203.0.113.9')).toBeNull()
  })

  test('of an operator in another tenant ends when the operator is none any more', async () => {
    const here = await world(operatorRights)
    const { actor } = await here.auth.authenticateToken(await here.sign(), '203.0.113.9')
    const switched: Actor = { ...actor, tenantId: here.random.uuid() as TenantId }
    expect(await here.auth.refresh(switched, null, '203.0.113.9')).toMatchObject({ tenantId: switched.tenantId })
    here.people.rights.set(here.subject, viewer)
    const changed = here.tx()
    await here.auth.rightsChanged(changed, here.userId)
    changed.commit()
    expect(await here.auth.refresh(switched, null, '203.0.113.9')).toBeNull()
  })
})
