import { describe, expect, test } from 'vitest'
import { listPermissions, noPermissions, permissionSet } from '../access/permissions.ts'
import { makeApiKey } from './api-keys.ts'
import type { StoredApiKey } from './port.ts'
import { bearer, outcome, viewer, world } from './testing/auth-world.ts'

describe('C09 an API key', () => {
  test('makes its owner with the lesser rights of both', async () => {
    const here = await world()
    const { text, stored } = here.newKey({ scopes: permissionSet(['risk:admin', 'gateway:read']) })
    const actor = await here.auth.authenticate(bearer(text))
    expect(actor).toMatchObject({
      kind: 'api_key',
      keyId: stored.id,
      userId: here.userId,
      sessionId: null,
      authTime: null,
      rateLimitPerMinute: 7,
    })
    expect(listPermissions(actor.permissions)).toEqual(['risk:read', 'risk:write'])
    expect(here.people.state.used).toEqual([`${stored.id} 203.0.113.9`])
  })

  test('is demoted with its owner on the next call', async () => {
    const here = await world()
    const { text } = here.newKey()
    await here.auth.authenticate(bearer(text))
    here.people.rights.set(here.subject, { ...viewer, permissions: noPermissions })
    const tx = here.tx()
    await here.auth.rightsChanged(tx, here.userId)
    tx.commit()
    expect((await here.auth.authenticate(bearer(text))).permissions).toBe(noPermissions)
  })

  test('that is known costs no promise', async () => {
    const here = await world()
    const { text } = here.newKey()
    await here.auth.authenticate(bearer(text))
    expect(here.auth.authenticate(bearer(text)) instanceof Promise).toBe(false)
  })

  test.each<[string, Partial<StoredApiKey>, string]>([
    ['revoked', { revoked: true }, '401 AUTH-002'],
    ['ended', { expiresAt: 1_700_000_000 }, '401 AUTH-003'],
    ['used from elsewhere', { allowedCidrs: ['198.51.100.0/24'] }, '403 AUTH-011'],
    ['used from its network', { allowedCidrs: ['203.0.113.0/24'] }, 'accepted'],
    ['revoked and ended', { revoked: true, expiresAt: 1 }, '401 AUTH-002'],
    ['ended and elsewhere', { expiresAt: 1, allowedCidrs: ['198.51.100.0/24'] }, '401 AUTH-003'],
  ])('that is %s', async (_, facts, expected) => {
    const here = await world()
    const { text, keyId } = here.newKey(facts)
    expect(await outcome(here, bearer(text))).toBe(expected)
    expect(await outcome(here, bearer(text))).toBe(expected)
    expect(here.people.state.used).toHaveLength(expected === 'accepted' ? 2 : 0)
    // Callers without the secret learn nothing of all that.
    const guessed = makeApiKey({ base62: (length) => (length === 12 ? keyId : here.random.base62(length)) })
    expect(await outcome(here, bearer(guessed.text))).toBe('401 AUTH-002')
  })

  test('that nobody made is AUTH-002, and a typing error costs no question', async () => {
    const here = await world()
    expect(await outcome(here, bearer(makeApiKey(here.random).text))).toBe('401 AUTH-002')
    const asked = here.people.state.asked
    expect(await outcome(here, bearer(`${here.newKey().text.slice(0, -1)}!`))).toBe('401 AUTH-002')
    expect(here.people.state.asked).toBe(asked)
  })

  test('stops on revocation and is read anew when it was changed', async () => {
    const here = await world()
    const { text, stored, keyId } = here.newKey()
    expect(await outcome(here, bearer(text))).toBe('accepted')
    here.people.keys.set(keyId, { ...stored, scopes: noPermissions })
    const changed = here.tx()
    await here.auth.rightsChanged(changed, `key:${stored.id}`)
    changed.commit()
    expect((await here.auth.authenticate(bearer(text))).permissions).toBe(noPermissions)
    const revoked = here.tx()
    await here.auth.revoke(revoked, 'key', stored.id)
    revoked.commit()
    expect(await outcome(here, bearer(text))).toBe('401 AUTH-002')
  })
})
