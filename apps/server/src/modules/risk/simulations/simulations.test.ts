import { createSimulation, type FairModel, planOf } from '@parapet/quant'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { addAnalysis, addRisk, appetite, caseA, caseB, pert } from '../testing/risk-world.ts'
import { simulationJob } from './runs.ts'

/** Long enough for a busy machine; a test that passes does not wait for it. */
const patience = { timeout: 60_000, interval: 100 }

let world: World
let tenant: TestTenant
let a: string
let b: string
let riskId: string

beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_THREADS: '2' } })
  tenant = await world.tenant('risk-simulations')
  ;({ a, b, riskId } = await analyzed(tenant))
})
afterAll(() => world?.close())

async function analyzed(where: TestTenant) {
  const risk = await addRisk(where, { appetite })
  const other = await addRisk(where, { title: 'Leak through a provider' })
  const first = await addAnalysis(where, risk.id)
  const second = await addAnalysis(where, other.id, { model: caseB })
  return { a: first.id as string, b: second.id as string, riskId: risk.id }
}

const post = (body: object, { admin }: TestTenant = tenant) => admin.post('/risk/simulations', body)
const see = async (id: string, query = {}, { admin }: TestTenant = tenant) =>
  expectStatus(await admin.get(`/risk/simulations/${id}`, { query }), 200).body.data

async function completed(body: object, where: TestTenant = tenant) {
  const { id } = expectStatus(await post(body, where), 201).body.data
  await expect.poll(async () => (await see(id, {}, where)).status, patience).toBe('completed')
  return see(id, { include: 'lec,histogram,contributions,trace' }, where)
}

const told = (answer: { status: number; body: { error_code?: string; errors?: { pointer?: string }[] } }) => [
  answer.status,
  answer.body.error_code,
  answer.body.errors?.[0]?.pointer,
]

/** Losses of the package in this thread, as the digest of the vector. */
function digestOf(model: object, iterations: number, { seed, years = iterations }: { seed: string; years?: number }) {
  const simulation = createSimulation({ plans: [planOf(model as FairModel)], iterations, seed })
  const losses = simulation.run(0, simulation.blocks).slice(0, years)
  return sha256(new Uint8Array(losses.buffer))
}

describe('a scenario', () => {
  test('gives the same losses for one thread and for two, and as the package', async () => {
    const body = { kind: 'scenario', iterations: 100_000, seed: '42' }
    const two = await completed({ ...body, analysis_ids: [a] })
    const single = await openWorld({ environment: { PARAPET_THREADS: '1' } })
    try {
      const other = await single.tenant('risk-one-thread')
      const one = await completed({ ...body, analysis_ids: [(await analyzed(other)).a] }, other)
      expect(one.losses_sha256).toBe(two.losses_sha256)
      expect(one.inputs_sha256).toBe(two.inputs_sha256)
    } finally {
      await single.close()
    }
    expect(two.losses_sha256).toBe(digestOf(caseA, 100_000, { seed: '42' }))
    const { mean, standard_error: error, lec, trace } = two.result.statistics
    expect(Math.abs(mean - 191_250)).toBeLessThan(4 * error)
    expect(lec).toHaveLength(200)
    expect(trace.at(-1)).toMatchObject({ years: 100_000 })
  })

  test('begins anew after its worker died, and gives the same losses', async () => {
    const before = await completed({ kind: 'scenario', analysis_ids: [b], iterations: 20_000, seed: '7' })
    await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
      await tx.execute(sql`
        update risk_simulation set status = 'running', result = null, losses_sha256 = null where id = ${before.id}`)
      await tx.enqueue({ kind: simulationJob, payload: { simulation_id: before.id } })
    })
    await expect.poll(async () => (await see(before.id)).losses_sha256, patience).toBe(before.losses_sha256)
  })

  test('that is cancelled keeps the blocks that were done, and runs to the same end when asked for again', async () => {
    // Whole blocks, so that a machine which ends before the cancellation arrives gives whole blocks, too.
    const iterations = 1_221 * 4_096
    const body = { kind: 'scenario', analysis_ids: [a], iterations, seed: '11' }
    const { id } = expectStatus(await post(body), 201).body.data
    await expect.poll(async () => (await see(id)).progress, { ...patience, interval: 10 }).toBeGreaterThan(0)
    expect(expectStatus(await tenant.admin.post(`/risk/simulations/${id}/cancel`), 200).body.data.status).toBe(
      'cancelled',
    )
    await expect.poll(async () => (await see(id)).result, patience).not.toBeNull()
    const cancelled = await see(id)
    expect(cancelled).toMatchObject({ status: 'cancelled', finished_at: expect.any(String) })
    expect(cancelled.iterations_done % 4_096).toBe(0)
    expect(cancelled.losses_sha256).toBe(digestOf(caseA, iterations, { seed: '11', years: cancelled.iterations_done }))
    expect(told(await tenant.admin.post(`/risk/simulations/${id}/cancel`))).toEqual([409, 'RISK-012', undefined])
    const short = { ...body, iterations: 50_000, previous_simulation_id: id }
    expect((await completed(short)).losses_sha256).toBe(digestOf(caseA, 50_000, { seed: '11' }))
  })

  test('stops where the statistic is as exact as was asked', async () => {
    const target = { statistic: 'mean', relative_error: 0.01 }
    const done = await completed({ kind: 'scenario', analysis_ids: [a], iterations: 2_000_000, seed: '5', target })
    expect(done).toMatchObject({ iterations_done: 65_536, progress: 1 })
    expect(done.losses_sha256).toBe(digestOf(caseA, 65_536, { seed: '5' }))
  })
})

describe('a portfolio', () => {
  test('adds up by year, and its parts of the tail add up to the tail', async () => {
    const { result } = await completed({ kind: 'portfolio', analysis_ids: [a, b], iterations: 200_000, seed: '1' })
    const { mean, standard_error: error, tails } = result.statistics
    expect(Math.abs(mean - 514_045.16)).toBeLessThan(4 * error)
    const tail = tails.find(({ level }: { level: number }) => level === 0.95)
    expect(tail.interval.low).toBeLessThan(1_249_721.1)
    expect(tail.interval.high).toBeGreaterThan(1_249_721.1)
    const parts = result.contributions.map(({ tvar95 }: { tvar95: number }) => tvar95)
    expect(parts[0] + parts[1]).toBeCloseTo(tail.tvar, 4)
    expect(result.diversification_benefit).toBeGreaterThan(0)
  })

  test('with annual losses of rank correlation 1 has no diversification', async () => {
    const correlation = {
      spearman: [
        [1, 1],
        [1, 1],
      ],
    }
    const body = { kind: 'portfolio', analysis_ids: [a, b], correlation, iterations: 50_000, seed: '1' }
    const { result } = await completed(body)
    const sum = result.contributions.reduce(
      (total: number, { standalone_var95: one }: { standalone_var95: number }) => total + one,
      0,
    )
    expect(Math.abs(result.diversification_benefit)).toBeLessThan(1e-6 * sum)
  })

  test('joins rates and losses by name, and repairs a matrix where it is told to', async () => {
    const variables = [
      { analysis_id: a, node: '/nodes/loss_event_frequency' },
      { analysis_id: a, node: '/nodes/loss_magnitude' },
      { analysis_id: b, node: '/nodes/loss_magnitude' },
    ]
    const impossible = [
      [1, 0.9, -0.9],
      [0.9, 1, 0.9],
      [-0.9, 0.9, 1],
    ]
    const body = { kind: 'portfolio', analysis_ids: [a, b], iterations: 8_192, seed: '3' }
    const refused = await post({ ...body, correlation: { variables, spearman: impossible } })
    expect(told(refused)).toEqual([422, 'RISK-009', '/correlation/spearman'])
    expect(refused.body.detail).toMatch(/smallest eigenvalue -0\.\d+/)
    const { result } = await completed({ ...body, correlation: { variables, spearman: impossible, repair: true } })
    expect(result.correlation_distance).toBeGreaterThan(0)
    const unknown = [{ analysis_id: b, node: '/nodes/loss_event_frequency' }]
    expect(told(await post({ ...body, correlation: { variables: unknown, spearman: [[1]] } }))).toEqual([
      422,
      'RISK-006',
      '/correlation/variables',
    ])
  })
})

test('a sensitivity gives the tornado and the Sobol indices', async () => {
  const { result } = await completed({ kind: 'sensitivity', analysis_ids: [a], iterations: 65_536, seed: '9' })
  const { sobol, tornado_mean: bars } = result.sensitivity
  expect(bars.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/nodes/loss_magnitude',
    '/nodes/loss_event_frequency',
  ])
  expect(sobol[0].first).toBeCloseTo(0.27273, 1)
  expect(sobol[1].first).toBeCloseTo(0.64031, 1)
})

describe('the value of controls', () => {
  const share = (value: number) => ({ type: 'constant', value })
  const control = (id: string, efficacy: number, cost: number) => ({
    ...{ id, node: 'primary_loss', cost },
    ...{ efficacy: share(efficacy), coverage: share(1), reliability: share(1) },
  })

  test('is the loss they avoid in the same years, and a budget buys the best set', async () => {
    const model = { nodes: { loss_event_frequency: pert(0.5, 2, 5), primary_loss: pert(10_000, 50_000, 300_000) } }
    const { id } = await addAnalysis(tenant, riskId, { purpose: 'what_if', model })
    const controls = [control('half', 0.5, 40_000), control('tenth', 0.1, 1_000), control('dear', 0.2, 900_000)]
    const body = { kind: 'control_roi', analysis_ids: [id], iterations: 50_000, seed: '2', controls, budget: 50_000 }
    const { result } = await completed(body)
    const { control_roi: roi, statistics } = result
    expect(roi.cost).toBe(941_000)
    expect(roi.with_mean / statistics.mean).toBeCloseTo(0.5 * 0.9 * 0.8, 6)
    expect(roi.var95_change).toBeLessThan(0)
    expect(roi.choice).toMatchObject({ control_ids: ['half', 'tenth'], cost: 41_000, method: 'exact', gap: 0 })
  })

  test('of a node that the model does not give is refused', async () => {
    const wrong = { kind: 'control_roi', analysis_ids: [a], controls: [control('x', 0.5, 1)] }
    expect(told(await post(wrong))).toEqual([422, 'RISK-006', '/controls/0/node'])
  })
})

test('an analysis by both engines is completed by its simulation, and the engines agree', async () => {
  const made = await addAnalysis(tenant, riskId, { engine: 'both', iterations: 65_536, seed: '21' })
  expect(made).toMatchObject({ status: 'queued', current: false })
  const path = `/risk/fair/analyses/${made.id}`
  await expect.poll(async () => (await tenant.admin.get(path)).body.data.status, patience).toBe('completed')
  const { data } = (await tenant.admin.get(path)).body
  expect(data).toMatchObject({ current: true, result: { agreement: { var95_inside_interval: true } } })
  expect(Math.abs(data.result.agreement.mean_difference_in_standard_errors)).toBeLessThan(4)
  expect(data.simulations).toContainEqual(expect.objectContaining({ id: data.simulation_id, kind: 'scenario' }))
})

test('the newest one of a kind and a risk is found, and drawn with the tolerance', async () => {
  await completed({ kind: 'scenario', analysis_ids: [a], iterations: 4_096, seed: '1' })
  const latest = await see('latest', { kind: 'scenario', risk_id: riskId })
  expect(latest).toMatchObject({ kind: 'scenario', status: 'completed', risk_ids: [riskId] })
  const drawn = await tenant.admin.get(`/risk/simulations/${latest.id}`, { headers: { accept: 'image/svg+xml' } })
  expect([drawn.status, drawn.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
  for (const part of ['<svg ', 'class="band"', 'class="curve"', 'class="tolerance"', '</svg>'])
    expect(drawn.text).toContain(part)
  const nobody = { risk_id: world.kernel.random.uuid() }
  expect((await tenant.admin.get('/risk/simulations/latest', { query: nobody })).status).toBe(404)
})

test.each([
  ['two analyses of one scenario', { kind: 'scenario', analysis_ids: 'both' }, [422, 'RISK-007', '/analysis_ids']],
  ['a correlated scenario', { kind: 'scenario', correlation: { spearman: [[1]] } }, [422, 'RISK-007', '/correlation']],
  ['too many samples', { kind: 'sensitivity', iterations: 1_000_000 }, [422, 'RISK-007', '/iterations']],
  ['controls of a scenario', { kind: 'scenario', budget: 1 }, [422, 'RISK-007', '/budget']],
  [
    'an analysis that does not exist',
    { kind: 'scenario', analysis_ids: 'unknown' },
    [422, 'RISK-002', '/analysis_ids/0'],
  ],
] as readonly (readonly [string, { analysis_ids?: string; kind: string }, unknown[]])[])(
  '%s: refused',
  async (_name, over, wanted) => {
    const { analysis_ids: which, ...body } = over
    const ids = which === 'both' ? [a, b] : which === 'unknown' ? [world.kernel.random.uuid()] : [a]
    expect(told(await post({ ...body, analysis_ids: ids }))).toEqual(wanted)
  },
)

test('analyses in two currencies do not add up', async () => {
  const other = await addRisk(tenant)
  const euro = await addAnalysis(tenant, other.id, { currency: 'EUR' })
  expect(told(await post({ kind: 'portfolio', analysis_ids: [a, euro.id] }))).toEqual([
    422,
    'RISK-007',
    '/analysis_ids',
  ])
})
