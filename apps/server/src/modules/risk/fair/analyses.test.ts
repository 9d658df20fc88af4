import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addAnalysis, addRisk, appetite, caseA, caseB, pert } from '../testing/risk-world.ts'

const file = fileURLToPath(new URL('../../../../../../../shared/data/quant/oracles.json', import.meta.url))
const oracles = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null

let world: World
let tenant: TestTenant
let riskId: string
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('risk-fair')
  riskId = (await addRisk(tenant, { appetite })).id
})
afterAll(() => world?.close())

const constant = (value: number) => ({ type: 'constant', value }) as const
const models: Readonly<Record<string, object>> = {
  A: caseA,
  B: caseB,
  C: { nodes: { ...caseB.nodes, loss_event_frequency: constant(0.1) } },
  D: { nodes: { loss_event_frequency: constant(3), loss_magnitude: { type: 'exponential', mean: 100_000 } } },
  F: {
    nodes: {
      contact_frequency: pert(10, 24, 60),
      probability_of_action: pert(0.1, 0.25, 0.5),
      threat_capability: pert(0.2, 0.5, 0.9),
      resistance_strength: pert(0.4, 0.6, 0.95),
      primary_loss: pert(5_000, 20_000, 100_000),
      secondary_loss_event_frequency: pert(0.05, 0.2, 0.5),
      secondary_loss_magnitude: pert(10_000, 100_000, 1_000_000),
    },
  },
}

const post = (over: object) =>
  tenant.admin.post('/risk/fair/analyses', {
    risk_id: riskId,
    purpose: 'what_if',
    currency: 'USD',
    model: caseA,
    ...over,
  })

const told = (answer: { status: number; body: { error_code?: string; errors?: { pointer?: string }[] } }) => [
  answer.status,
  answer.body.error_code,
  answer.body.errors?.[0]?.pointer,
]

describe('the exact engine', () => {
  test.skipIf(oracles === null)('is within 0.02 % of every independently computed value', async () => {
    for (const [name, model] of Object.entries(models)) {
      const oracle = oracles.aggregate_exact[name]
      const { exact } = expectStatus(await post({ model, dry_run: true }), 201).body.data.result
      const at = (p: number) => exact.quantiles.find((one: { p: number }) => one.p === p)?.value
      const tail = (level: number) => exact.tails.find((one: { level: number }) => one.level === level)
      const values: Record<string, number> = {
        ...{ mean: exact.mean, sd: exact.sd, p0: exact.no_loss, p50: at(0.5), p75: at(0.75), p90: at(0.9) },
        ...{ var95: tail(0.95).var, var99: tail(0.99).var, tvar95: tail(0.95).tvar },
      }
      for (const [key, value] of Object.entries(values)) {
        if (typeof oracle[key] !== 'number') continue
        const apart = Math.abs(value - oracle[key])
        expect(apart, `${name} ${key}: ${value} against ${oracle[key]}`).toBeLessThanOrEqual(2e-4 * oracle[key])
      }
    }
  })

  test('gives a curve that never rises and begins at the probability of any loss', async () => {
    const { exact } = expectStatus(await post({ dry_run: true }), 201).body.data.result
    expect(exact.lec).toHaveLength(200)
    expect(exact.lec[0]).toEqual({ loss: 0, probability: 1 - exact.no_loss })
    for (let i = 1; i < exact.lec.length; i += 1)
      expect(exact.lec[i].probability).toBeLessThanOrEqual(exact.lec[i - 1].probability)
    for (const { var: var_, tvar } of exact.tails) expect(tvar).toBeGreaterThanOrEqual(var_)
  })
})

describe('an analysis', () => {
  test('gives the risk its money, and every version stays', async () => {
    const { id } = await addRisk(tenant, { appetite })
    const first = await addAnalysis(tenant, id)
    expect(first).toMatchObject({ version: 1, current: true, status: 'completed', dry_run: false })
    const risk = async () => expectStatus(await tenant.admin.get(`/risk/register/${id}`), 200).body.data
    const { residual, score, above_tolerance: above } = await risk()
    expect(residual).toMatchObject({
      currency: 'USD',
      ale_mean: expect.closeTo(191_250, 0),
      var95: expect.closeTo(502_302.6, -2),
    })
    expect([score, above]).toEqual([50.11, true])
    const second = await addAnalysis(tenant, id, { model: caseB, rationale: { loss_magnitude: 'Expert interviews' } })
    expect(second).toMatchObject({ version: 2, current: true })
    const kept = expectStatus(await tenant.admin.get(`/risk/fair/analyses/${first.id}`), 200).body.data
    expect(kept).toMatchObject({ current: false, model: caseA, result: { exact: { mean: first.result.exact.mean } } })
    expect(kept.versions.map(({ version, current }: Record<string, unknown>) => [version, current])).toEqual([
      [2, true],
      [1, false],
    ])
    expect((await risk()).score).toBeGreaterThan(60)
  })

  test('of a question changes no risk, and a dry run stores nothing', async () => {
    const { id } = await addRisk(tenant)
    await addAnalysis(tenant, id, { purpose: 'what_if' })
    await addAnalysis(tenant, id, { dry_run: true })
    const shown = expectStatus(await tenant.admin.get(`/risk/register/${id}`, { query: { include: 'analyses' } }), 200)
    expect(shown.body.data.residual).toBeNull()
    expect(shown.body.data.analyses).toHaveLength(1)
  })

  test('shows its inputs, its curve and its histogram where they are asked for', async () => {
    const made = await addAnalysis(tenant, riskId, { purpose: 'what_if' })
    const path = `/risk/fair/analyses/${made.id}`
    expect((await tenant.admin.get(path)).body.data.result.exact.lec).toBeUndefined()
    const { data } = expectStatus(await tenant.admin.get(path, { query: { include: 'lec,histogram,nodes' } }), 200).body
    expect(data.result.exact.histogram).toHaveLength(50)
    const shares = data.result.exact.histogram.reduce((sum: number, { share }: { share: number }) => sum + share, 0)
    expect(shares + data.result.exact.no_loss).toBeCloseTo(0.999, 4)
    expect(data.nodes[1]).toMatchObject({ pointer: '/nodes/loss_magnitude', mean: 85_000 })
  })

  test('says which estimators are overconfident', async () => {
    const answers = [
      ...Array.from({ length: 6 }, () => ({ low: 0, high: 1, actual: 0.5 })),
      ...Array.from({ length: 4 }, () => ({ low: 0, high: 1, actual: 2 })),
    ]
    const [one, other] = (
      await addAnalysis(tenant, riskId, { dry_run: true, estimators: [{ name: 'A', answers }, { name: 'B' }] })
    ).estimators
    expect(one).toMatchObject({ calibration: { hits: 6, answers: 10, overconfident: true } })
    expect(other.calibration).toBeNull()
  })

  test.each([
    [
      'a low above the mode',
      { model: { nodes: { ...caseA.nodes, loss_magnitude: pert(60_000, 50_000, 300_000) } } },
      [422, 'RISK-006', '/model/nodes/loss_magnitude/low'],
    ],
    [
      'a node with its children',
      { model: { nodes: { ...caseA.nodes, risk: pert(1, 2, 3) } } },
      [422, 'RISK-005', '/model/nodes/risk'],
    ],
    [
      'a node that is missing',
      { model: { nodes: { loss_magnitude: pert(1, 2, 3) } } },
      [422, 'RISK-005', '/model/nodes/loss_event_frequency'],
    ],
    [
      'a probability above 1',
      {
        model: {
          nodes: { threat_event_frequency: constant(2), vulnerability: constant(1.5), loss_magnitude: pert(1, 2, 3) },
        },
      },
      [422, 'RISK-006', '/model/nodes/vulnerability'],
    ],
    [
      'a negative rate',
      { model: { nodes: { ...caseA.nodes, loss_event_frequency: constant(-1) } } },
      [422, 'RISK-006', '/model/nodes/loss_event_frequency'],
    ],
    ['another currency than the appetite', { currency: 'EUR' }, [422, 'RISK-007', '/currency']],
    [
      'an observed and a given frequency',
      {
        model: {
          nodes: { threat_event_frequency: constant(2), vulnerability: constant(0.5), loss_magnitude: pert(1, 2, 3) },
        },
        tef_from: { techniques: ['AML.T0051'], prior: { shape: 1, years: 1 } },
      },
      [422, 'RISK-005', '/model/nodes/threat_event_frequency'],
    ],
    [
      'more events than can be simulated',
      { model: { nodes: { ...caseA.nodes, loss_event_frequency: constant(1e9) } } },
      [422, 'RISK-007', '/model/nodes'],
    ],
    [
      'rates too wide for the exact engine',
      { model: { nodes: { ...caseA.nodes, loss_event_frequency: pert(0, 100, 900) } } },
      [422, 'RISK-007', '/engine'],
    ],
    ['a dry run by simulation', { dry_run: true, engine: 'both' }, [422, 'RISK-007', '/engine']],
  ])('with %s is refused', async (_name, over, wanted) => {
    expect(told(await post(over))).toEqual(wanted)
  })

  test('with NaN, text for a number or an unknown law is refused as a body', async () => {
    const wrong = { nodes: { ...caseA.nodes, loss_magnitude: { type: 'constant', value: 'NaN' } } }
    expect(told(await post({ model: wrong }))[1]).toBe('API-001')
    expect(told(await post({ model: { nodes: { risk: { type: 'cauchy' } } } }))[1]).toBe('API-001')
  })

  test('of a risk that does not exist is refused', async () => {
    expect(told(await post({ risk_id: world.kernel.random.uuid() }))).toEqual([422, 'RISK-002', '/risk_id'])
  })
})
