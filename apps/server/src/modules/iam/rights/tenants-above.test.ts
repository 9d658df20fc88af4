import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { accept, expectStatus, type OwnWorld, openWorld } from '../../../../test/support/world.ts'
import type { TenantId } from '../../../kernel/access/actor.ts'

let world: OwnWorld
let made = 0
beforeAll(async () => {
  world = await openWorld({})
})
afterAll(() => world.close())

interface Made {
  readonly id: TenantId
  readonly admin: TestClient
}

/** A tenant and its administrator, made from the tenant above. */
async function tenantBelow(by: TestClient, quotas?: object): Promise<Made> {
  made += 1
  const [slug, admin_email] = [`tenant-${made}`, `admin@tenant-${made}.example`]
  const body = { name: slug, slug, admin_email, ...(quotas === undefined ? {} : { quotas }) }
  const { id, invitation_url } = expectStatus(await by.post('/iam/tenants', body), 201).body.data
  await accept(world.stranger, invitation_url)
  return { id, admin: await world.signIn(admin_email, id) }
}

const robot = async (admin: TestClient) => {
  const role = (await admin.get('/iam/roles', { query: { q: 'viewer' } })).body.data[0].id
  return admin.post('/iam/users', { type: 'service', display_name: 'Robot', role_ids: [role] })
}

describe('a tenant below another', () => {
  test('C28 is suspended while one above it is, and active again with it', async () => {
    const parent = await tenantBelow(world.operator)
    const child = await tenantBelow(parent.admin)
    const grandchild = await tenantBelow(child.admin)
    expect((await robot(grandchild.admin)).status).toBe(201)
    expectStatus(await world.operator.patch(`/iam/tenants/${parent.id}`, { status: 'suspended' }), 200)
    for (const { admin } of [parent, child, grandchild]) expect((await robot(admin)).body.error_code).toBe('AUTH-016')
    expectStatus(await world.operator.patch(`/iam/tenants/${parent.id}`, { status: 'active' }), 200)
    expect((await robot(grandchild.admin)).status).toBe(201)
  })

  test('C28 counts against the quotas of those above it', async () => {
    const parent = await tenantBelow(world.operator, { service_accounts: 3, api_keys: 2 })
    const child = await tenantBelow(parent.admin)
    const others = [parent.admin, child.admin, child.admin, parent.admin]
    const answers = []
    for (const admin of others) answers.push((await robot(admin)).status)
    expect(answers.filter((status) => status === 201)).toHaveLength(3)
    const key = { name: 'k', scopes: ['risk:read'] }
    expect((await child.admin.post('/iam/api-keys', key)).status).toBe(201)
    expect((await parent.admin.post('/iam/api-keys', key)).status).toBe(201)
    for (const admin of [parent.admin, child.admin])
      expect((await admin.post('/iam/api-keys', key)).body.error_code).toBe('IAM-009')
    const usage = (await world.operator.get(`/iam/tenants/${parent.id}`)).body.data.usage
    expect(usage).toMatchObject({ users: 2, service_accounts: 3, api_keys: 2 })
  })

  test('C28 spends the requests of those above it', async () => {
    const parent = await tenantBelow(world.operator)
    const child = await tenantBelow(parent.admin)
    expectStatus(await world.operator.patch(`/iam/tenants/${parent.id}`, { quotas: { requests_per_minute: 6 } }), 200)
    const statuses = []
    for (let call = 0; call < 10; call += 1)
      statuses.push((await (call % 2 === 0 ? parent : child).admin.get('/iam/roles')).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(6)
  })
})
