import { expect, test } from 'vitest'
import type { ModelParts, ServiceBody } from '../declared/model-schema.ts'
import { createPathCounter } from './critical-path.ts'
import { predict } from './exact.ts'
import { measuredEstimate } from './measured.ts'
import { planOfModel } from './plan.ts'
import { simulateRuns } from './simulate.ts'

const hours = (mean: number) => ({ type: 'exponential', mean }) as const
const constant = (value: number) => ({ type: 'constant', value }) as const
/** Oracle availability: MTTF 1,000 h, MTTR 4 h. */
const fragile = (key: string, more: Partial<ServiceBody> = {}): ServiceBody => ({
  ...{ key, name: key, kind: 'component', criticality: 3, failure: hours(1000) },
  recovery_steps: [{ step: 'restore', distribution: constant(240) }],
  ...more,
})
const solid = (key: string, dependencies: ServiceBody['dependencies']): ServiceBody => ({
  ...{ key, name: key, kind: 'application', criticality: 5 },
  ...(dependencies === undefined ? {} : { dependencies }),
})
const pair = [1, 2].map((i) => ({ target: `db-${i}`, type: 'k_of_n' as const, group: 'db', k: 1 }))

const predicted = (...services: ServiceBody[]) => predict({ services, common_causes: [] })

test('availability is exact for one, two and three components', () => {
  const found = predicted(
    ...[1, 2, 3].map((i) => fragile(`db-${i}`)),
    solid(
      'chain',
      [1, 2, 3].map((i) => ({ target: `db-${i}`, type: 'hard' as const })),
    ),
    solid('pair', pair),
    solid(
      'quorum',
      [1, 2, 3].map((i) => ({ target: `db-${i}`, type: 'k_of_n' as const, group: 'db', k: 2 })),
    ),
  )
  expect(found.get('db-1')?.availability).toBeCloseTo(0.9960159363, 9)
  expect(found.get('chain')?.availability).toBeCloseTo(0.9880953638, 9)
  expect(found.get('pair')?.availability).toBeCloseTo(0.9999841272, 9)
  expect(found.get('quorum')?.availability).toBeCloseTo(0.9999525082, 9)
  expect(found.get('chain')?.single_points).toEqual(['db-1', 'db-2', 'db-3'])
  expect(found.get('pair')?.single_points).toEqual([])
  expect(found.get('pair')?.cut_sets).toContainEqual(['db-1', 'db-2'])
})

test('a shared component counts once, and a common cause takes a redundant pair down', () => {
  const services = [
    fragile('disk'),
    ...[1, 2].map((i) => solid(`db-${i}`, [{ target: 'disk', type: 'hard' }])),
    solid('pair', pair),
  ]
  expect(predict({ services, common_causes: [] }).get('pair')?.availability).toBeCloseTo(0.9960159363, 9)
  const apart = [fragile('db-1'), fragile('db-2'), solid('pair', pair)]
  const shock = { name: 'power', members: ['db-1', 'db-2'], interval: hours(10_000) }
  const found = predict({ services: apart, common_causes: [shock] }).get('pair')
  expect(found?.single_points).toEqual(['common cause power'])
  expect(found?.availability).toBeLessThan(0.9999)
})

test('the length of an outage mixes its causes by their rates, and keeps or breaks the objective', () => {
  const quick: Partial<ServiceBody> = {
    recovery_steps: [{ step: 'restore', distribution: constant(10) }],
    failure: hours(100),
  }
  const app = {
    ...fragile('app', quick),
    dependencies: [{ target: 'db', type: 'hard' }],
    objectives: { rto_minutes: 60, level: 0.9 },
  } as ServiceBody
  const found = predicted(fragile('db'), app).get('app')?.rto
  expect(found?.p_within).toBeCloseTo(10 / 11, 3)
  expect(found).toMatchObject({ verdict: 'met', evidence: 'declared', n: null })
  expect(
    predicted(fragile('db'), { ...app, objectives: { rto_minutes: 60, level: 0.95 } }).get('app')?.rto?.verdict,
  ).toBe('not_met')
})

test('a restore that fails is repeated', () => {
  const data = { interval_minutes: 60, lag_minutes: 5, restore_success: 0.75 }
  const found = predicted(fragile('db', { data, objectives: { rto_minutes: 300 } })).get('db')?.rto
  expect(found?.p_within).toBeCloseTo(0.75, 6)
  expect(found?.p95).toBeCloseTo(720, 3)
})

test('a service that fails together with its dependencies is back after the slowest and its own start', () => {
  // Oracle rto_critical_path: 10 and 25 minutes below, then 5 of its own.
  const down = (key: string, minutes: number, needs: readonly string[] = []): ServiceBody => ({
    ...{ key, name: key, kind: 'component', criticality: 1 },
    dependencies: needs.map((target) => ({ target, type: 'hard' })),
    recovery_steps: [{ step: 'start', distribution: constant(minutes) }],
  })
  const parts: ModelParts = { services: [down('a', 5, ['b', 'c']), down('b', 10), down('c', 25)], common_causes: [] }
  const failing = { a: 0, b: 0, c: 0 }
  const { timeline, paths } = simulateRuns({ parts, failing, horizonHours: 24, seed: '1' }, 0, 100)
  expect(timeline).toContainEqual({ service: 'a', start_minutes: 0, end_minutes: 30, finished: true })
  const shares = new Map((paths ?? []).map(({ service, component, share }) => [`${service} ${component}`, share]))
  expect([shares.get('a a'), shares.get('a c'), shares.get('a b')]).toEqual([1, 1, undefined])
  expect(createPathCounter(planOfModel(parts).model, ['a', 'b', 'c']).shares()).toEqual([])
})

test('the simulation agrees with the exact analysis, and a division of its runs changes no bit', () => {
  const parts: ModelParts = {
    services: [fragile('db'), solid('app', [{ target: 'db', type: 'hard' }])],
    common_causes: [],
  }
  const inputs = { parts, failing: {}, horizonHours: 8_760, seed: '7' }
  const whole = simulateRuns(inputs, 0, 400)
  const halves = [simulateRuns(inputs, 0, 200), simulateRuns(inputs, 200, 400)]
  expect(whole.events).toBe((halves[0]?.events ?? 0) + (halves[1]?.events ?? 0))
  expect(whole.states[0]?.downTime).toBeCloseTo(
    halves.reduce((sum, { states }) => sum + (states[0]?.downTime ?? 0), 0),
    6,
  )
  const availability = 1 - (whole.states[1]?.downTime ?? 0) / (400 * 8_760 * 60)
  expect(Math.abs(availability - 0.9960159363)).toBeLessThan(0.0003)
})

test('measured recoveries judge an objective with the Wilson interval', () => {
  const facts = { evidence: 'experiment', ageDays: 1, objective: 30, level: 0.95 } as const
  expect(measuredEstimate([], facts)).toBeNull()
  expect(measuredEstimate([10], facts)).toMatchObject({ n: 1, p_within: 1, verdict: 'uncertain' })
  expect(measuredEstimate([45, 60], facts)).toMatchObject({ p_within: 0, verdict: 'not_met', p95: 60 })
})
