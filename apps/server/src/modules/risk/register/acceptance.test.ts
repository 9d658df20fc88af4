import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addRisk, moveTo } from '../testing/risk-world.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('risk-acceptance')
})
afterAll(() => world?.close())

const inDays = (days: number) => new Date(world.kernel.clock.now() + days * 86_400_000).toISOString()
const acceptance = (days = 90) => ({
  status: 'accepted',
  acceptance: { until: inDays(days), reason: 'Cheaper than any control' },
})

async function evaluated(likelihood: number): Promise<string> {
  const { id } = await addRisk(tenant, { inherent: { likelihood, impact: 4 } })
  await moveTo(tenant, id, 'identified', 'analyzed', 'evaluated')
  return id
}

test('a risk within its tolerance is accepted by one person, for at most twelve months', async () => {
  const path = `/risk/register/${await evaluated(1)}`
  for (const [body, pointer] of [
    [{ status: 'accepted' }, '/acceptance'],
    [acceptance(400), '/acceptance/until'],
    [acceptance(-1), '/acceptance/until'],
  ] as const) {
    const answer = await tenant.admin.patch(path, body)
    expect([answer.status, answer.body.error_code, answer.body.errors[0].pointer]).toEqual([422, 'RISK-011', pointer])
  }
  const { data } = expectStatus(await tenant.admin.patch(path, acceptance()), 200).body
  expect(data).toMatchObject({ status: 'accepted', acceptance: { second_person: null } })
  expect(expectStatus(await tenant.admin.patch(path, { status: 'evaluated' }), 200).body.data.acceptance).toBeNull()
})

test('a risk above its tolerance takes an administrator of risk and a second one', async () => {
  const path = `/risk/register/${await evaluated(5)}`
  const first = await tenant.admin.patch(path, acceptance())
  expect([first.status, first.body.error_code]).toEqual([403, 'RISK-004'])
  const confirmed = { ...acceptance(), confirm_token: first.body.confirm_token }
  expect((await tenant.admin.patch(path, confirmed)).body.error_code).toBe('RISK-004')
  expect((await tenant.admin.get(path)).body.data.status).toBe('evaluated')
})

test('the second administrator repeats the call with the token', async () => {
  const id = await evaluated(5)
  const path = `/risk/register/${id}`
  const second = await tenant.as('tenant_admin')
  await ownCredentials(world, tenant.id)
  const body = acceptance()
  const first = await tenant.admin.patch(path, body)
  const other = { ...body, acceptance: { ...body.acceptance, reason: 'Another reason' } }
  const repeated = await second.patch(path, { ...other, confirm_token: first.body.confirm_token })
  expect([repeated.status, repeated.body.error_code]).toEqual([403, 'RISK-004'])
  const { data } = expectStatus(
    await second.patch(path, { ...body, confirm_token: first.body.confirm_token }),
    200,
  ).body
  expect(data.status).toBe('accepted')
  expect(data.acceptance.second_person).toMatch(/^[0-9a-f-]{36}$/)
  expect(data.acceptance.second_person).not.toBe(data.acceptance.by)
})
