import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('alpha')
  await tenant.as('viewer')
})
afterAll(() => world.close())

const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const plan = { name: 'Plan', reviewer_rule: 'manager', on_no_answer: 'revoke', status: 'draft' }
const draft = async (): Promise<string> =>
  expectStatus(await tenant.admin.post('/iam/access-reviews', { ...plan, due_at: later(7) }), 201).body.data.id
const change = (id: string, body: object, client = tenant.admin) => client.patch(`/iam/access-reviews/${id}`, body)
const see = async (id: string) => expectStatus(await tenant.admin.get(`/iam/access-reviews/${id}`), 200).body.data

test('a draft has no items, is changed at will and takes down who has what when it is opened', async () => {
  const id = await draft()
  expect(await see(id)).toMatchObject({ status: 'draft', counts: { items: 0 }, items: [] })
  const roleId = (await tenant.admin.get('/iam/roles?q=viewer')).body.data[0].id
  const changed = { name: 'Better', scope: { role_ids: [roleId] }, on_no_answer: 'keep', due_at: later(9) }
  expect(expectStatus(await change(id, changed), 200).body.data).toMatchObject(changed)
  const opened = expectStatus(await change(id, { status: 'open' }), 200).body.data
  expect(opened).toMatchObject({ status: 'open', counts: { items: 1, undecided: 1 } })
  const { items } = await see(id)
  expect(items.map(({ grant }: { grant: { name: string } }) => grant.name)).toEqual(['viewer'])
  const late = await change(id, { on_no_answer: 'revoke' })
  expect([late.status, late.body.error_code]).toEqual([409, 'API-011'])
  expect((await change(id, { status: 'open' })).body.error_code).toBe('IAM-004')
})

test('a draft is cancelled but not closed, and who does not administer changes nothing in it', async () => {
  const id = await draft()
  expect((await change(id, { status: 'closed' })).body.error_code).toBe('IAM-004')
  expect((await change(id, { name: 'x' }, await tenant.as('auditor'))).body.error_code).toBe('AUTH-004')
  expect((await change(id, { reviewer_rule: `user:${tenant.id}` })).body.errors[0].pointer).toBe('/reviewer_rule')
  const decisions = [{ item_id: id, decision: 'keep' }]
  expect((await change(id, { decisions })).body.error_code).toBe('API-013')
  expect(expectStatus(await change(id, { status: 'cancelled' }), 200).body.data.status).toBe('cancelled')
  expect((await change(id, { status: 'open' })).body.error_code).toBe('IAM-015')
})
