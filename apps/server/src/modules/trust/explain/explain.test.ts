import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { enforced as enforcedAt, everywhere } from '../testing/reports.ts'
import { noReport, openTrustWorld, snapshotCount, type TrustWorld } from '../testing/trust-world.ts'

const msPerDay = 86_400_000

let world: TrustWorld
let tenant: TenantId

beforeAll(async () => {
  world = await openTrustWorld()
})

afterAll(() => world.close())

beforeEach(async () => {
  world.reports.gateway = noReport
  world.reports.aegis = noReport
  tenant = await world.newTenant()
})

const recalculated = async () => (await world.post(tenant, '/scores/recalculate')).body.data
const explained = async (query = '') => {
  const { status, body } = await world.get(tenant, `/scores/explain${query}`)
  expect(status).toBe(200)
  return body.data
}

interface Part {
  readonly phi: number
}

const sum = (parts: readonly Part[], more: number) =>
  parts.reduce((total, { phi }) => total + Math.round(phi * 100), Math.round(more * 100))

describe('the explanation of a score', () => {
  test('of a new tenant names all evidence as missing and what would raise it most', async () => {
    const data = await explained()
    expect(data).toMatchObject({
      composite_score: 50,
      grade: 'F',
      baseline: { kind: 'prior', snapshot_id: null, composite_score: 50 },
      confidence: 0,
      provisional: true,
      interval: { low: 0, high: 100 },
      caps: [],
      forecast: [],
      sum_check: { total: 0, difference: 0, equal: true },
    })
    expect(data.missing).toHaveLength(25)
    expect(data.actions[0]).toMatchObject({ signal: 'control_effectiveness', max_gain: 5.63 })
  })

  test('adds up to the score less the prior, with signals and caps', async () => {
    Object.assign(world.reports, everywhere(world.clock.iso(), 87))
    world.reports.aegis = { ...world.reports.aegis, caps: [{ id: 'kill_switch_active', active: true }] }
    const { composite_score } = await recalculated()
    const data = await explained()
    expect(data.composite_score).toBe(composite_score)
    expect(sum([...data.contributions, ...data.caps], data.others + data.configuration)).toBe(
      Math.round((composite_score - 50) * 100),
    )
    expect(data.sum_check).toMatchObject({ equal: true })
    expect(data.caps).toMatchObject([{ cap: 'kill_switch_active', limit: 40, active: true, applied: true }])
    expect(data.caps[0].phi).toBeLessThan(0)
    expect(data.caps[0].lift_gain).toBeGreaterThan(0)
    expect(data.actions.some(({ pillar }: { pillar: string }) => pillar === 'security')).toBe(false)
  })

  test('leaves out what `top` does not ask for and says how much that is', async () => {
    Object.assign(world.reports, everywhere(world.clock.iso(), 90))
    const { composite_score } = await recalculated()
    const data = await explained('?top=1')
    expect(data.contributions).toHaveLength(1)
    expect(sum(data.contributions, data.others)).toBe(Math.round((composite_score - 50) * 100))
  })

  test('against an earlier snapshot says what changed since', async () => {
    world.reports.gateway = enforcedAt(world.clock.iso(), 100, 100)
    const earlier = await recalculated()
    world.clock.advance(1_000)
    world.reports.gateway = enforcedAt(world.clock.iso(), 50, 100)
    const later = await recalculated()
    const data = await explained(`?baseline=${earlier.id}`)
    expect(data.baseline).toEqual({
      kind: 'snapshot',
      snapshot_id: earlier.id,
      composite_score: earlier.composite_score,
    })
    expect(data.contributions[0]).toMatchObject({ signal: 'enforced', baseline: 95.45, effective: 50 })
    expect(sum(data.contributions, data.others)).toBe(
      Math.round(later.composite_score * 100) - Math.round(earlier.composite_score * 100),
    )
  })

  test('dates the next change of the grade, and then it happens', async () => {
    Object.assign(world.reports, everywhere(world.clock.iso(), 90))
    await recalculated()
    world.reports.gateway = noReport
    world.reports.aegis = noReport
    const [next] = (await explained()).forecast
    expect(next.grade).toBe('F')
    world.clock.advance(Date.parse(next.at) - world.clock.now() - 60_000)
    expect((await recalculated()).grade).toBe('D-')
    world.clock.advance(60_000)
    expect(await recalculated()).toMatchObject({ grade: 'F', composite_score: next.composite_score })
  })

  test('tells evidence that has aged away from evidence that never was', async () => {
    world.reports.gateway = enforcedAt(new Date(world.clock.now() - 400 * msPerDay).toISOString(), 100, 100)
    await recalculated()
    const { missing } = await explained()
    expect(missing.find(({ signal }: { signal: string }) => signal === 'enforced')).toMatchObject({ reason: 'expired' })
  })

  test('knows no snapshot of another tenant, and none that is not there', async () => {
    const other = await world.newTenant()
    const { body } = await world.post(other, '/scores/recalculate')
    for (const id of [body.data.id, world.kernel.random.uuid()]) {
      const { status, body: problem } = await world.get(tenant, `/scores/explain?baseline=${id}`)
      expect([status, problem.error_code]).toEqual([404, 'API-013'])
    }
  })

  test.each(['?top=0', '?top=51', '?baseline=yesterday', '?luck=1'])('refuses %s', async (query) => {
    const { status, body } = await world.get(tenant, `/scores/explain${query}`)
    expect([status, body.error_code]).toEqual([400, 'API-001'])
  })
})

describe('the pillars', () => {
  test('are five, with confidence, coverage, caps and trend', async () => {
    world.reports.gateway = enforcedAt(world.clock.iso(), 100, 100)
    world.reports.aegis = { signals: [], caps: [{ id: 'kill_switch_active', active: true }] }
    await recalculated()
    const { body } = await world.get(tenant, '/pillars')
    expect(body.data.map(({ pillar }: { pillar: string }) => pillar)).toEqual([
      ...['security', 'compliance', 'risk', 'resilience', 'ai_governance'],
    ])
    expect(body.data[0]).toMatchObject({ score: 40, uncapped: 50, capped_by: 'kill_switch_active', trend: '-10.0' })
    expect(body.data[4]).toMatchObject({ score: 61.36, source: 'gateway', coverage: 0.25, trend: '+11.4' })
  })

  test('each show their signals with formula, raw counts, age and where the evidence is', async () => {
    world.reports.gateway = enforcedAt(new Date(world.clock.now() - 7 * msPerDay).toISOString(), 100, 100)
    await recalculated()
    const { body } = await world.get(tenant, '/pillars/ai_governance')
    expect(body.data.signals).toHaveLength(6)
    expect(body.data.signals[0]).toMatchObject({
      id: 'enforced',
      source: 'gateway',
      formula: expect.stringContaining('enforced policy'),
      ...{ good: 100, n: 100, value: 95.45, age_days: 7, freshness: 0.5, effective: 72.73 },
      ...{ half_life_days: 7, decay_model: 'exponential', source_ref: '/gateway/requests', applicable: true },
      ...{ open_events: null, events: null, reason: null },
    })
    expect(body.data.signals[1]).toMatchObject({ id: 'fail_open', value: null, good: null, observed_at: null })
  })

  test('show the events of an event signal, open ones first', async () => {
    const [early, late] = [world.clock.iso(), new Date(world.clock.now() + 1).toISOString()]
    const events = [
      { id: 'a-1', severity: 'low', at: late, closed_at: late },
      { severity: 'critical', at: early },
    ] as const
    const nothing = { good: null, value: null, n: null, source_ref: null }
    world.reports.aegis = {
      signals: [{ id: 'anomaly_pressure', observed_at: early, events, ...nothing }],
      caps: [],
    }
    await recalculated()
    const { body } = await world.get(tenant, '/pillars/security')
    const signal = body.data.signals.find(({ id }: { id: string }) => id === 'anomaly_pressure')
    expect(signal).toMatchObject({
      open_events: 1,
      events: [
        { id: `${early} critical`, severity: 'critical', closed_at: null },
        { id: 'a-1', closed_at: late },
      ],
    })
  })

  test('of a moment to come have aged, and those of a past one are as they were', async () => {
    world.reports.gateway = enforcedAt(world.clock.iso(), 100, 100)
    await recalculated()
    const then = world.clock.iso()
    const at = (days: number) => new Date(world.clock.now() + days * msPerDay).toISOString()
    const scoreAt = async (moment: string) =>
      (await world.get(tenant, `/pillars/ai_governance?at=${moment}`)).body.data.score
    expect(await scoreAt(at(7))).toBe(55.68)
    world.clock.advance(7 * msPerDay)
    world.reports.gateway = enforcedAt(world.clock.iso(), 0, 100)
    await recalculated()
    expect(await scoreAt(then)).toBe(61.36)
    expect(await scoreAt(at(-1))).toBeGreaterThan(55.68)
    expect((await world.get(tenant, `/pillars/risk?at=${at(-30)}`)).status).toBe(404)
    const late = await world.get(tenant, `/pillars/risk?at=${at(401)}`)
    expect([late.status, late.body.error_code]).toEqual([400, 'API-001'])
  })

  test('of another name are none', async () => {
    const { status, body } = await world.get(tenant, '/pillars/luck')
    expect([status, body.error_code]).toEqual([404, 'API-013'])
  })
})

test('looking changes nothing', async () => {
  const count = async () => (await world.rows(tenant, snapshotCount))[0]?.count
  const before = await count()
  for (const path of ['/scores/explain', '/pillars', '/pillars/risk']) await world.get(tenant, path)
  expect(await count()).toBe(before)
})
