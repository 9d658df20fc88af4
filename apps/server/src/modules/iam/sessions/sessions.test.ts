import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('acme')
})
afterAll(() => world.close())

const list = async (client: TestClient, query: Record<string, string> = {}) =>
  (await client.get('/iam/sessions', { query })).body.data
const currentId = async (client: TestClient): Promise<string> => (await client.get('/auth/me')).body.data.session_id

describe('sessions', () => {
  test('are one’s own, with the current one marked; with iam:read everybody’s', async () => {
    const viewer = await tenant.as('viewer')
    const mine = await list(viewer)
    expect(mine.map(({ current }: { current: boolean }) => current)).toEqual([true])
    expect(mine[0]).toMatchObject({
      id: await currentId(viewer),
      status: 'active',
      created_via: 'password',
      amr: ['pwd'],
    })
    const all = (await list(await tenant.as('auditor'))).map(({ id }: { id: string }) => id)
    expect(all).toEqual(expect.arrayContaining([mine[0].id, await currentId(tenant.admin)]))
    const { id } = (await tenant.admin.get('/auth/me')).body.data.user
    expect((await viewer.get('/iam/sessions', { query: { user_id: id } })).body.error_code).toBe('AUTH-004')
  })

  test('of somebody one dominates can be ended, and the token dies with it', async () => {
    const victim = await world.signIn(`viewer@${tenant.slug}.example`)
    const id = await currentId(victim)
    const ended = await tenant.admin.delete(`/iam/sessions/${id}`)
    expect(ended.body.data).toEqual({ id, deleted: true, effective_within_ms: 1000 })
    expect((await victim.get('/auth/me')).body.error_code).toBe('AUTH-002')
    expect((await list(tenant.admin, { status: 'revoked' }))[0]).toMatchObject({ id, revoked_reason: 'administrator' })
  })

  test('of others do not exist without iam:read, need iam:admin with it, and rights within one’s own', async () => {
    const adminSession = await currentId(tenant.admin)
    expect((await (await tenant.as('viewer')).delete(`/iam/sessions/${adminSession}`)).body.error_code).toBe('API-013')
    expect((await (await tenant.as('security_admin')).delete(`/iam/sessions/${adminSession}`)).body.error_code).toBe(
      'AUTH-004',
    )
    const other = await world.tenant('other')
    expect((await other.admin.delete(`/iam/sessions/${adminSession}`)).body.error_code).toBe('API-013')
  })

  test('of one’s own can be ended from another one', async () => {
    const [here, there] = [
      await world.signIn(`auditor@${tenant.slug}.example`),
      await world.signIn(`auditor@${tenant.slug}.example`),
    ]
    expect((await here.delete(`/iam/sessions/${await currentId(there)}`)).status).toBe(200)
    expect([(await here.get('/auth/me')).status, (await there.get('/auth/me')).status]).toEqual([200, 401])
  })
})
