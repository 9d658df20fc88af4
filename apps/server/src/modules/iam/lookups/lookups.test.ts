import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { findPrincipal, findRoles, knownPrincipals, roleNames } from './lookups.ts'

let world: World
let tenant: TestTenant
let meId: string
let keyId: string

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('acme')
  const me = (await tenant.admin.get('/auth/me')).body.data
  meId = me.id ?? me.user.id
  keyId = (await tenant.admin.post('/iam/api-keys', { name: 'script', scopes: ['iam:read'] })).body.data.id
})
afterAll(() => world?.close())

const inTenant = <T>(work: (tx: Tx) => Promise<T>, of = tenant) => world.kernel.db.tenant({ tenantId: of.id }, work)

test('a key is found with its owner and the roles of the owner', async () => {
  const user = { user_id: meId, key_id: null, type: 'human', roles: ['tenant_admin'] }
  expect(await inTenant((tx) => findPrincipal(tx, meId))).toEqual(user)
  expect(await inTenant((tx) => findPrincipal(tx, keyId))).toEqual({ ...user, key_id: keyId })
})

test('nobody is found by something else, or from another tenant', async () => {
  expect(await inTenant((tx) => findPrincipal(tx, 'somebody'))).toBeNull()
  expect(await inTenant((tx) => findPrincipal(tx, keyId), await world.tenant('beta'))).toBeNull()
})

test('a key is no user and a user no key', async () => {
  const known = await inTenant((tx) => knownPrincipals(tx, { users: [meId, keyId, 'x'], keys: [meId] }))
  expect([...known]).toEqual([meId])
})

test('a role is found by its id and by its name in any case', async () => {
  const names = await roleNames(world.kernel.db, tenant.id)
  const viewer = [...names].find(([, name]) => name === 'viewer')?.[0] ?? ''
  for (const value of [viewer, 'viewer', 'Viewer']) {
    expect(await inTenant((tx) => findRoles(tx, [value, 'nobody']))).toEqual([{ id: viewer, name: 'viewer' }])
  }
})
