/** Permission to loosen a live policy where the tenant demands four eyes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accept, expectStatus, openWorld, type World } from '../../../../test/support/world.ts'
import { tenantWith } from '../testing/policies.ts'

let world: World
let admin: Awaited<ReturnType<typeof tenantWith>>['admin']
let tenantId: string
let second: Awaited<ReturnType<typeof tenantWith>>['second']

beforeAll(async () => {
  world = await openWorld()
  const people = await tenantWith(world, 'four-eyes', { policy_four_eyes: true })
  admin = people.admin
  second = people.second
  tenantId = people.id
})

afterAll(async () => {
  await world?.close()
})

let made = 0
/** A published policy that its author bound to everybody; its path. */
async function live(bindings: object[] = [{ kind: 'tenant' }]): Promise<string> {
  made += 1
  const body = { name: `p-${made}`, from_template: 'strict', bindings }
  const { id } = expectStatus(await admin.post('/gateway/policies', body), 201).body.data
  expectStatus(await second.post(`/gateway/policies/${id}/publish`, { version: 1, approve: true }), 200)
  return `/gateway/policies/${id}`
}

/** Key of a service account with an administrator's permissions. */
async function robot() {
  made += 1
  const roles = (await admin.get('/iam/roles')).body.data as readonly { readonly id: string; readonly name: string }[]
  const role_ids = roles.filter(({ name }) => name === 'tenant_admin').map(({ id }) => id)
  const body = { type: 'service', display_name: `Robot ${made}`, role_ids }
  const { id } = expectStatus(await admin.post('/iam/users', body), 201).body.data
  const key = { name: `robot-${made}`, scopes: ['gateway:admin'], owner_id: id }
  return admin.with(expectStatus(await admin.post('/iam/api-keys', key), 201).body.data.secret)
}

describe('what takes two people', () => {
  const changes = [
    ['taking bindings away', { bindings: [] }],
    ['narrowing bindings', { bindings: [{ kind: 'role', value: 'viewer' }] }],
    ['archiving', { bindings: [], status: 'archived' }],
  ] as const

  test.each(changes)('%s of a published policy', async (_, change) => {
    const path = await live()
    for (const [one, other] of [
      [admin, second],
      [second, admin],
    ] as const) {
      const first = await one.patch(path, change)
      expect([first.status, first.body.error_code]).toEqual([403, 'GW-033'])
      const { confirm_token } = first.body
      expect((await one.patch(path, { ...change, confirm_token })).body.error_code).toBe('GW-033')
      expect((await other.patch(path, { bindings: [{ kind: 'role', value: 'auditor' }], confirm_token })).status).toBe(
        403,
      )
      expect((await other.get(path)).body.data).toMatchObject({ status: 'published', bindings: [{ kind: 'tenant' }] })
    }
    const { confirm_token } = (await admin.patch(path, change)).body
    const done = expectStatus(await second.patch(path, { ...change, confirm_token }), 200).body.data
    expect(done.bindings.some(({ kind }: { kind: string }) => kind === 'tenant')).toBe(false)
  })

  test('what was asked before another change is asked again', async () => {
    const path = await live()
    const { confirm_token } = (await admin.patch(path, { bindings: [] })).body
    await second.patch(path, { description: 'meanwhile' })
    expect((await second.patch(path, { bindings: [], confirm_token })).status).toBe(403)
  })

  test('an older version going live again, for whoever did not write it too', async () => {
    const path = await live()
    await admin.patch(path, { document: { cache: { scope: 'user' } } })
    expectStatus(await second.post(`${path}/publish`, { version: 2, approve: true }), 200)
    const alone = await second.post(`${path}/publish`, { version: 1, approve: true })
    expect([alone.status, alone.body.error_code]).toEqual([403, 'GW-033'])
    const { confirm_token } = alone.body
    const again = { version: 1, approve: true, confirm_token }
    expect((await second.post(`${path}/publish`, again)).status).toBe(403)
    // Another body is another call.
    expect((await admin.post(`${path}/publish`, { version: 1, confirm_token })).body.error_code).toBe('GW-033')
    expect((await admin.post(`${path}/publish`, again)).body.data).toMatchObject({ active_version: 1 })
  })

  test('and a service account is none of them', async () => {
    const path = await live()
    const machine = await robot()
    const { confirm_token } = (await admin.patch(path, { bindings: [] })).body
    expect((await machine.patch(path, { bindings: [], confirm_token })).status).toBe(403)
    expect((await machine.patch(path, { bindings: [] })).body).not.toHaveProperty('confirm_token')
    await admin.patch(path, { document: { mode: 'off' } })
    expect((await machine.post(`${path}/publish`, { version: 2, approve: true })).body.detail).toContain('two people')
  })
})

test('C19 whoever was invited by the other with a link is no second person, whichever of them asks first', async () => {
  const path = await live()
  const roles = (await admin.get('/iam/roles')).body.data as readonly { readonly id: string; readonly name: string }[]
  const role_ids = roles.filter(({ name }) => name === 'security_admin').map(({ id }) => id)
  const invited = await admin.post('/iam/users', { email: 'puppet@four-eyes.example', role_ids })
  await accept(world.stranger, expectStatus(invited, 201).body.data.invitation_url)
  const puppet = await world.signIn('puppet@four-eyes.example', tenantId)
  for (const [one, other] of [
    [admin, puppet],
    [puppet, admin],
  ] as const) {
    const { confirm_token } = (await one.patch(path, { bindings: [] })).body
    const refused = await other.patch(path, { bindings: [], confirm_token })
    expect([refused.status, refused.body.error_code]).toEqual([403, 'GW-033'])
  }
  await admin.patch(path, { document: { mode: 'off' } })
  const published = await puppet.post(`${path}/publish`, { version: 2, approve: true })
  expect([published.status, published.body.error_code]).toEqual([403, 'GW-033'])
  const { confirm_token } = (await admin.patch(path, { bindings: [] })).body
  expectStatus(await second.patch(path, { bindings: [], confirm_token }), 200)
})

describe('what one person may', () => {
  test('bind a published policy to more, rename it and save a draft', async () => {
    const path = await live([{ kind: 'role', value: 'viewer' }])
    const [viewer] = (await admin.get(path)).body.data.bindings
    for (const change of [
      { bindings: [viewer, { kind: 'role', value: 'auditor' }] },
      { bindings: [{ kind: 'tenant' }] },
      { name: `renamed-${made}`, document: { mode: 'monitor' } },
    ])
      expectStatus(await admin.patch(path, change), 200)
  })

  test('change and archive a draft', async () => {
    const body = { name: 'a-draft', bindings: [{ kind: 'tenant' }] }
    const { id } = (await admin.post('/gateway/policies', body)).body.data
    const gone = await admin.patch(`/gateway/policies/${id}`, { bindings: [], status: 'archived' })
    expect(gone.body.data.status).toBe('archived')
  })
})
