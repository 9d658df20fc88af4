import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { budgetNow, makeBudget } from '../testing/money.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('budgets')
})

afterAll(() => world?.close())

const meOf = async (client: TestTenant['admin']) => expectStatus(await client.get('/auth/me'), 200).body.data.user.id

describe('a budget', () => {
  test('is made with its defaults and shows what is left', async () => {
    const made = await makeBudget(tenant.admin, { name: 'first', amount: '12.50' })
    expect(made).toMatchObject({
      name: 'first',
      amount: '12.5',
      currency: 'USD',
      window: 'month',
      window_hours: null,
      time_zone: 'UTC',
      kind: 'hard',
      alert_at: [50, 80, 100],
      on_unpriced: 'block',
      status: 'active',
      spent: '0',
      reserved: '0',
      remaining: '12.5',
    })
    expect(Date.parse(made.resets_at)).toBeGreaterThan(Date.now())
    const soft = await makeBudget(tenant.admin, { kind: 'soft', window: 'rolling', window_hours: 24 })
    expect(soft).toMatchObject({
      on_unpriced: 'flag',
      window: 'rolling',
      window_hours: 24,
      resets_at: null,
      forecast: null,
    })
  })

  test('is of the time zone of its tenant where it names none', async () => {
    const at = `/iam/tenants/${tenant.id}`
    expectStatus(await tenant.admin.patch(at, { settings: { time_zone: 'Asia/Kolkata' } }), 200)
    expect(await makeBudget(tenant.admin, {})).toMatchObject({ time_zone: 'Asia/Kolkata' })
    expect(await makeBudget(tenant.admin, { time_zone: 'UTC' })).toMatchObject({ time_zone: 'UTC' })
    expectStatus(await tenant.admin.patch(at, { settings: { time_zone: null } }), 200)
  })

  test.each([
    [{ window: 'rolling' }, '/window_hours'],
    [{ window: 'day', window_hours: 5 }, '/window_hours'],
    [{ time_zone: 'Mars/Olympus' }, '/time_zone'],
    [{ scope: [{ kind: 'tenant', value: 'x' }] }, '/scope/0/value'],
    [{ scope: [{ kind: 'tag' }] }, '/scope/0/value'],
    [{ amount: '1e3' }, '/amount'],
    [{ amount: '-1' }, '/amount'],
    [{ scope: [] }, '/scope'],
  ])('is not made of %j', async (over, pointer) => {
    const body = { name: 'wrong', scope: [{ kind: 'tenant' }], amount: '1', window: 'month', ...over }
    const answer = await tenant.admin.post('/gateway/budgets', body)
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer])
  })

  test('needs a name of its own and a scope that somebody has', async () => {
    await makeBudget(tenant.admin, { name: 'taken' })
    const body = { name: 'taken', scope: [{ kind: 'tenant' }], amount: '1', window: 'day' }
    expect((await tenant.admin.post('/gateway/budgets', body)).body.error_code).toBe('GW-031')
    const scope = [{ kind: 'user', value: world.kernel.random.uuid() }]
    const unknown = await tenant.admin.post('/gateway/budgets', { ...body, name: 'nobody', scope })
    expect([unknown.status, unknown.body.error_code]).toEqual([422, 'GW-001'])
    const role = await makeBudget(tenant.admin, { scope: [{ kind: 'role', value: 'AI_Engineer' }] })
    expect(role.scope[0].value).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('is changed at its version, and never again once it is archived', async () => {
    const made = await makeBudget(tenant.admin)
    const { etag } = await budgetNow(tenant.admin, made.id)
    const path = `/gateway/budgets/${made.id}`
    const first = await tenant.admin.patch(path, { amount: '7', alert_at: [90, 20] }, { headers: { 'if-match': etag } })
    expect(first.body.data).toMatchObject({ amount: '7', remaining: '7', alert_at: [20, 90] })
    const late = await tenant.admin.patch(path, { amount: '8' }, { headers: { 'if-match': etag } })
    expect([late.status, late.body.error_code]).toEqual([412, 'API-012'])
    // The response has the new ETag, so that changes can follow each other.
    const next = { headers: { 'if-match': first.headers.etag ?? '"none"' } }
    expectStatus(await tenant.admin.patch(path, { status: 'paused' }, next), 200)
    expectStatus(await tenant.admin.patch(path, { status: 'archived' }), 200)
    const dead = await tenant.admin.patch(path, { status: 'active' })
    expect([dead.status, dead.body.error_code]).toEqual([409, 'API-011'])
  })

  test('is corrected with a reason, both ways', async () => {
    const made = await makeBudget(tenant.admin, { amount: '10' })
    const path = `/gateway/budgets/${made.id}`
    const adjust = (amount: string, reason = 'Invoice of March says so') =>
      tenant.admin.patch(path, { adjust: { amount, reason } })
    expect((await adjust('4.25')).body.data).toMatchObject({ spent: '4.25', remaining: '5.75' })
    expect((await adjust('-1.25')).body.data).toMatchObject({ spent: '3', remaining: '7' })
    expect((await adjust('1', 'short')).status).toBe(400)
    const forecast = Number((await budgetNow(tenant.admin, made.id)).forecast ?? '3')
    expect(forecast).toBeGreaterThanOrEqual(3)
  })
})

describe('the list', () => {
  test('is narrowed by kind of scope and by status', async () => {
    const tagged = await makeBudget(tenant.admin, { scope: [{ kind: 'tag', value: 'blue' }] })
    await tenant.admin.patch(`/gateway/budgets/${tagged.id}`, { status: 'paused' })
    const list = async (query: Record<string, string>) =>
      (await tenant.admin.get('/gateway/budgets', { query })).body.data.map(({ id }: { id: string }) => id)
    expect(await list({ scope: 'tag' })).toEqual([tagged.id])
    expect(await list({ status: 'paused' })).toEqual([tagged.id])
    expect(await list({ scope: 'tag', status: 'active' })).toEqual([])
  })

  test('shows a caller its own, and an auditor all', async () => {
    const engineer = await tenant.as('ai_engineer')
    const auditor = await tenant.as('auditor')
    const own = await makeBudget(tenant.admin, { scope: [{ kind: 'user', value: await meOf(engineer) }] })
    const seen = async (client: TestTenant['admin']) =>
      (await client.get('/gateway/budgets', { query: { limit: '200' } })).body.data.map(({ id }: { id: string }) => id)
    expect(await seen(engineer)).toEqual([own.id])
    expect((await seen(auditor)).length).toBe((await seen(tenant.admin)).length)
    const body = { name: 'mine', scope: [{ kind: 'tenant' }], amount: '1', window: 'day' }
    expect((await engineer.post('/gateway/budgets', body)).status).toBe(403)
  })
})
