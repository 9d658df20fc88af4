import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { addRisk, appetite, moveTo, ownId } from '../testing/risk-world.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('risk-register')
})
afterAll(() => world?.close())

const told = (answer: { status: number; body: { error_code?: string; errors?: { pointer?: string }[] } }) => [
  answer.status,
  answer.body.error_code,
  answer.body.errors?.[0]?.pointer,
]

const events = (channel: string, { id }: TestTenant = tenant) =>
  world.kernel.db.tenant({ tenantId: id }, (tx) =>
    tx.query(sql<{ subject: string; data: Record<string, unknown> }>`
      select subject, data from outbox where channel = ${channel}
      union all select subject, data from event_log where channel = ${channel}`),
  )

describe('a new risk', () => {
  test('is a draft with a reference, scored by the matrix', async () => {
    const risk = await addRisk(tenant, { residual: { likelihood: 2, impact: 3 } })
    expect(risk).toMatchObject({
      status: 'draft',
      inherent: { likelihood: 4, impact: 4, score: 87.5, rating: 'high', var95: null },
      residual: { score: 12.5, rating: 'low' },
      score: 12.5,
      rating: 'low',
      above_tolerance: false,
      allowed_moves: ['identified'],
    })
    expect(risk.reference).toMatch(/^R-\d{4}$/)
  })

  test('gets the next reference also when many are added at once', async () => {
    const other = await world.tenant('risk-references')
    const made = await Promise.all(Array.from({ length: 8 }, (_, i) => addRisk(other, { title: `Risk ${i} at once` })))
    expect(made.map(({ reference }) => reference).sort()).toEqual(Array.from({ length: 8 }, (_, i) => `R-000${i + 1}`))
  })

  test('is refused with a disordered appetite or an unknown owner, and takes no reference', async () => {
    const other = await world.tenant('risk-refused')
    const owner_id = await ownId(other.admin)
    const body = { title: 'Outage', category: 'operational', owner_id, inherent: { likelihood: 1, impact: 1 } }
    const disordered = { ...appetite, tolerance: '50000' }
    expect(told(await other.admin.post('/risk/register', { ...body, appetite: disordered }))).toEqual([
      422,
      'RISK-001',
      '/appetite',
    ])
    const nobody = world.kernel.random.uuid()
    expect(told(await other.admin.post('/risk/register', { ...body, owner_id: nobody }))).toEqual([
      422,
      'RISK-002',
      '/owner_id',
    ])
    expect((await addRisk(other)).reference).toBe('R-0001')
  })
})

test('the list filters, sorts and finds words and references', async () => {
  const other = await world.tenant('risk-list')
  await addRisk(other, {
    title: 'Leak of customer data',
    category: 'data_protection',
    inherent: { likelihood: 5, impact: 5 },
  })
  await addRisk(other, {
    title: 'Vendor goes out of business',
    category: 'third_party',
    inherent: { likelihood: 1, impact: 2 },
  })
  const titles = async (query: object) =>
    expectStatus(await other.admin.get('/risk/register', { query: query as never }), 200).body.data.map(
      ({ title }: { title: string }) => title,
    )
  expect(await titles({ sort: '-score' })).toEqual(['Leak of customer data', 'Vendor goes out of business'])
  expect(await titles({ q: 'cust' })).toEqual(['Leak of customer data'])
  expect(await titles({ q: 'r-0002' })).toEqual(['Vendor goes out of business'])
  expect(await titles({ q: 'ustomer' })).toEqual([])
  expect(await titles({ rating: 'very_high', above_tolerance: 'true' })).toEqual(['Leak of customer data'])
  expect(await titles({ category: 'third_party', review_due: 'false' })).toEqual(['Vendor goes out of business'])
})

describe('a move', () => {
  test('follows the states, is told of, and any other is refused with the allowed ones', async () => {
    const { id } = await addRisk(tenant)
    const wrong = await tenant.admin.patch(`/risk/register/${id}`, { status: 'closed' })
    expect([wrong.status, wrong.body.error_code, wrong.body.detail]).toEqual([
      409,
      'RISK-003',
      'A risk does not move from draft to closed. Allowed: identified.',
    ])
    await moveTo(tenant, id, 'identified', 'analyzed', 'evaluated', 'treating', 'monitoring', 'closed')
    expect(told(await tenant.admin.patch(`/risk/register/${id}`, { status: 'identified' }))).toEqual([
      400,
      'API-001',
      '/reason',
    ])
    expectStatus(
      await tenant.admin.patch(`/risk/register/${id}`, { status: 'identified', reason: 'It came back' }),
      200,
    )
    const moves = (await events('risk.status.changed')).filter(({ subject }) => subject === id)
    expect(moves).toHaveLength(7)
    expect(moves.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ from: 'closed', to: 'identified', reason: 'It came back' }),
    )
  })

  test('to closed waits for the actions of the treatment', async () => {
    const { id } = await addRisk(tenant)
    const action = { title: 'Review prompts', due_at: '2999-01-01T00:00:00Z' }
    const treated = expectStatus(
      await tenant.admin.patch(`/risk/register/${id}`, { treatment: { strategy: 'mitigate', actions: [action] } }),
      200,
    ).body.data
    await moveTo(tenant, id, 'identified', 'analyzed', 'evaluated', 'treating', 'monitoring')
    expect(told(await tenant.admin.patch(`/risk/register/${id}`, { status: 'closed' }))).toEqual([
      409,
      'RISK-003',
      undefined,
    ])
    const done = [{ ...action, id: treated.treatment.actions[0].id, status: 'done' }]
    const body = { treatment: { strategy: 'mitigate', actions: done }, status: 'closed' }
    expectStatus(await tenant.admin.patch(`/risk/register/${id}`, body), 200)
  })

  test('of a change that is older than the risk is refused', async () => {
    const { id } = await addRisk(tenant)
    const { headers } = await tenant.admin.get(`/risk/register/${id}`)
    expectStatus(await tenant.admin.patch(`/risk/register/${id}`, { title: 'A newer title' }), 200)
    const late = await tenant.admin.patch(
      `/risk/register/${id}`,
      { status: 'identified' },
      { headers: { 'if-match': String(headers.etag) } },
    )
    expect(told(late)).toEqual([412, 'API-012', undefined])
  })
})

describe('key risk indicators', () => {
  const manual = { name: 'Blocked calls a day', source: 'manual', amber: 10, red: 50, direction: 'above' }

  test('turn amber and red, are told of, and open a monitored risk again', async () => {
    const { id } = await addRisk(tenant, { kris: [{ ...manual, value: 1 }] })
    await moveTo(tenant, id, 'identified', 'analyzed', 'evaluated', 'treating', 'monitoring')
    const [kri] = expectStatus(await tenant.admin.get(`/risk/register/${id}`), 200).body.data.kris
    expect(kri).toMatchObject({ status: 'green', value: 1 })
    const amber = { kris: [{ ...manual, id: kri.id, value: 12 }] }
    expect(expectStatus(await tenant.admin.patch(`/risk/register/${id}`, amber), 200).body.data.status).toBe(
      'monitoring',
    )
    const red = { kris: [{ ...manual, id: kri.id, value: 50 }] }
    expect(expectStatus(await tenant.admin.patch(`/risk/register/${id}`, red), 200).body.data.status).toBe('evaluated')
    const breaches = (await events('risk.kri.breached')).filter(({ subject }) => subject === id)
    expect(breaches.map(({ data }) => [data.level, data.threshold]).sort()).toEqual([
      ['amber', 10],
      ['red', 50],
    ])
  })

  test.each([
    [{ source: 'query' }, '/kris/0/source'],
    [{ red: 5 }, '/kris/0/red'],
    [{ source: 'event', window_days: 7, value: 3 }, '/kris/0/value'],
    [{ source: 'event' }, '/kris/0/window_days'],
    [{ source: 'trust_pillar' }, '/kris/0/pillar'],
  ])('with %o are refused', async (over, pointer) => {
    const { id } = await addRisk(tenant)
    const answer = await tenant.admin.patch(`/risk/register/${id}`, { kris: [{ ...manual, ...over }] })
    expect(told(answer)).toEqual([400, 'API-001', pointer])
  })
})

test('the history keeps every score with its cause, and small moves are told to nobody', async () => {
  const { id } = await addRisk(tenant)
  expectStatus(await tenant.admin.patch(`/risk/register/${id}`, { residual: { likelihood: 1, impact: 1 } }), 200)
  const { history } = expectStatus(
    await tenant.admin.get(`/risk/register/${id}`, { query: { include: 'history' } }),
    200,
  ).body.data
  expect(history.map(({ level, score, cause }: Record<string, unknown>) => [level, score, cause])).toEqual([
    ['residual', 2, 'qualitative'],
    ['inherent', 87.5, 'qualitative'],
  ])
})
