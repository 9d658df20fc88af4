import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { accept, expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

let world: World
let tenant: TestTenant
let admin: TestClient
let adminId: string
/** The review that was opened last. */
let latest: string
let roleIds: Readonly<Record<string, string>>

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('alpha')
  admin = tenant.admin
  adminId = expectStatus(await admin.get('/auth/me'), 200).body.data.user.id
  const roles: readonly { id: string; name: string }[] = expectStatus(await admin.get('/iam/roles'), 200).body.data
  roleIds = Object.fromEntries(roles.map(({ id, name }) => [name, id]))
})
afterAll(() => world.close())

async function person(email: string, more: object = {}): Promise<string> {
  const body = { email, role_ids: [roleIds.viewer], ...more }
  const { id, invitation_url } = expectStatus(await admin.post('/iam/users', body), 201).body.data
  await accept(world.stranger, invitation_url)
  return id
}
const role = (id: string | undefined) => `/iam/roles/${id}`
const code = ({ status, body }: TestAnswer) => [status, body.error_code, body.errors?.[0]?.pointer]

async function reviewersOf(scope: object): Promise<ReadonlyMap<string, string | null>> {
  const due_at = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const body = { name: 'By owners', reviewer_rule: 'role_owner', due_at, on_no_answer: 'keep', scope }
  const { id } = expectStatus(await admin.post('/iam/access-reviews', body), 201).body.data
  latest = id
  const { items } = expectStatus(await admin.get(`/iam/access-reviews/${id}`, { query: { limit: '200' } }), 200).body
    .data
  return new Map(
    items.map((item: { user_id: string; grant: { name: string }; reviewer_id: string | null }) => [
      `${item.user_id} ${item.grant.name}`,
      item.reviewer_id,
    ]),
  )
}

it('an owner is an active person of the tenant, of built-in roles as well, and is taken back by null', async () => {
  const owner = await person('owner@alpha.example')
  const other = await world.tenant('beta')
  const foreign = expectStatus(await other.admin.get('/auth/me'), 200).body.data.user.id
  const wrong = [400, 'API-001', '/owner_id']
  const body = { name: 'Owned', permissions: ['trust:read'] }
  expect(code(await admin.post('/iam/roles', { ...body, owner_id: foreign }))).toEqual(wrong)
  expect(code(await admin.patch(role(roleIds.viewer), { owner_id: foreign }))).toEqual(wrong)
  const made = expectStatus(await admin.post('/iam/roles', { ...body, owner_id: owner }), 201).body.data
  expect(made.owner_id).toBe(owner)
  expect(expectStatus(await admin.patch(role(made.id), { owner_id: null }), 200).body.data.owner_id).toBeNull()
  expect(expectStatus(await admin.patch(role(roleIds.auditor), { owner_id: owner }), 200).body.data).toMatchObject({
    builtin: true,
    owner_id: owner,
  })
  const more = { owner_id: owner, name: 'Checker' }
  expect(code(await admin.patch(role(roleIds.auditor), more))).toEqual([403, 'IAM-006', undefined])
  expect(code(await admin.patch(role(roleIds.super_admin), { owner_id: owner }))).toEqual([403, 'IAM-006', undefined])
})

it('the owner of a role decides who keeps it, but for their own; keys go to managers', async () => {
  const [owner, boss] = [await person('cara@alpha.example'), await person('boss@alpha.example')]
  const held = expectStatus(
    await admin.post('/iam/roles', { name: 'Held', permissions: ['trust:read'], owner_id: owner }),
    201,
  ).body.data
  const ann = await person('ann@alpha.example', { role_ids: [held.id, roleIds.risk_manager], manager_id: boss })
  expectStatus(await admin.patch(`/iam/users/${owner}`, { role_ids: [roleIds.viewer, held.id] }), 200)
  const client = await world.signIn('ann@alpha.example', tenant.id)
  expectStatus(await client.post('/iam/api-keys', { name: 'robot', scopes: ['trust:read'] }), 201)
  const scope = { role_ids: [held.id, roleIds.risk_manager], include_api_keys: true }
  const reviewers = await reviewersOf(scope)
  expect(reviewers.get(`${ann} Held`)).toBe(owner)
  expect(reviewers.get(`${ann} risk_manager`)).toBe(adminId)
  expect(reviewers.get(`${owner} Held`)).toBe(adminId)
  expect(reviewers.get(`${ann} robot`)).toBe(boss)
  const cara = await world.signIn('cara@alpha.example', tenant.id)
  const { items } = expectStatus(await cara.get(`/iam/access-reviews/${latest}`), 200).body.data
  expect(items.map((item: { user_id: string }) => item.user_id)).toEqual([ann])
  const standing = async () => expectStatus(await admin.get(`/iam/users/${ann}`), 200).body.data.review
  expect(await standing()).toEqual({ undecided: 3, last_decided_at: null })
  const decisions = [{ item_id: items[0].id, decision: 'revoke', reason: 'Moved on' }]
  expectStatus(await cara.patch(`/iam/access-reviews/${latest}`, { decisions }), 200)
  expect(await standing()).toEqual({ undecided: 2, last_decided_at: expect.any(String) })
  expect(expectStatus(await admin.get(`/iam/users/${ann}`), 200).body.data.role_ids).toEqual([roleIds.risk_manager])
})

it('an owner who left decides nothing, and who inherits from an erased one owns their roles', async () => {
  const [left, heir] = [await person('left@alpha.example'), await person('heir@alpha.example')]
  const body = { name: 'Left behind', permissions: ['trust:read'], owner_id: left }
  const owned = expectStatus(await admin.post('/iam/roles', body), 201).body.data
  const holder = await person('holder@alpha.example', { role_ids: [owned.id] })
  expectStatus(await admin.delete(`/iam/users/${left}`), 200)
  expect((await reviewersOf({ role_ids: [owned.id] })).get(`${holder} Left behind`)).toBe(adminId)
  const query = { mode: 'erase', transfer_to: heir }
  expectStatus(await admin.delete(`/iam/users/${left}`, { query }), 200)
  expect(expectStatus(await admin.get(role(owned.id)), 200).body.data.owner_id).toBe(heir)
  expect((await reviewersOf({ role_ids: [owned.id] })).get(`${holder} Left behind`)).toBe(heir)
})
