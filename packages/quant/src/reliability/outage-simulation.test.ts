import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawOf } from '../distributions/law.ts'
import { RandomStream, seedKey } from '../random/stream.ts'
import { analyzeAvailability, steadyStateAvailability } from './availability.ts'
import type { OutageRecorder } from './outage-recorder.ts'
import { createOutageSimulator } from './outage-simulation.ts'
import { createOutageStatistics } from './outage-statistics.ts'
import { type Service, type ServiceModel, ServiceModelError } from './service-model.ts'
import { component, parallel, series } from './structure.ts'

const key = seedKey('20261127')
const stream = new RandomStream()

/** Uniform numbers of one run: a stream of its own. */
function uniformOf(run: number): () => number {
  stream.seek(key, run, 0)
  return () => stream.uniform()
}

const fixed = (duration: number) => () => duration
const exponential = (mean: number) => (u: number) => -mean * Math.log1p(-u)

const service = (given: Partial<Service> = {}): Service => ({
  dependencies: [],
  groups: [],
  failure: null,
  failsAt: null,
  recovery: { prepare: [], restore: [fixed(1)] },
  data: null,
  ...given,
})
const needs = (target: number, type: 'hard' | 'soft' = 'hard', detection = 0) => ({ target, type, detection })
const recover = (duration: number) => ({ prepare: [], restore: [fixed(duration)] })

interface Outage {
  readonly service: number
  readonly start: number
  readonly end: number
  readonly finished: boolean
}

/** Outages and degradations of one run. */
function runOnce(model: ServiceModel, horizon = 1_000) {
  const outages: Outage[] = []
  const degraded: (readonly [number, number, number])[] = []
  const recorder: OutageRecorder = {
    outage: (index, start, end, finished) => outages.push({ service: index, start, end, finished }),
    degraded: (...period) => degraded.push(period),
    dataLoss: () => {},
  }
  createOutageSimulator(model).run(uniformOf(1), horizon, recorder)
  return { outages, degraded, of: (index: number) => outages.filter((each) => each.service === index) }
}

test('a recovery waits for its dependencies: 10 and 25 minutes below, then 5 of its own, is 30', () => {
  // Oracle rto_critical_path, unlimited crew.
  const all = [
    service({ failsAt: 0, dependencies: [needs(1), needs(2)], recovery: recover(5) }),
    service({ failsAt: 0, recovery: recover(10) }),
    service({ failsAt: 0, recovery: recover(25) }),
  ]
  const { of } = runOnce({ services: all, commonCauses: [] })
  expect(of(0)).toEqual([{ service: 0, start: 0, end: 30, finished: true }])
  expect(of(1)[0]?.end).toBe(10)
})

test('steps before the restore run while dependencies are still down', () => {
  const { of } = runOnce({
    services: [
      service({ failsAt: 0, dependencies: [needs(1)], recovery: { prepare: [fixed(8)], restore: [fixed(5)] } }),
      service({ failsAt: 0, recovery: recover(10) }),
    ],
    commonCauses: [],
  })
  expect(of(0)[0]?.end).toBe(15)
})

test('a service that is down by a hard dependency alone comes back with it', () => {
  const { of } = runOnce({
    services: [service({ dependencies: [needs(1)] }), service({ failsAt: 3, recovery: recover(4) })],
    commonCauses: [],
  })
  expect(of(0)).toEqual([{ service: 0, start: 3, end: 7, finished: true }])
})

test('detection delays the failure that is felt, and a shorter outage is never felt', () => {
  const chain = (repair: number) => ({
    services: [service({ dependencies: [needs(1, 'hard', 2)] }), service({ failsAt: 3, recovery: recover(repair) })],
    commonCauses: [],
  })
  expect(runOnce(chain(5)).of(0)).toEqual([{ service: 0, start: 5, end: 8, finished: true }])
  expect(runOnce(chain(1)).of(0)).toEqual([])
})

test('a soft dependency degrades, a redundant group fails below k', () => {
  const model = {
    services: [
      service({ dependencies: [needs(3, 'soft')], groups: [{ k: 1, targets: [1, 2], detection: 0 }] }),
      service({ failsAt: 1, recovery: recover(10) }),
      service({ failsAt: 5, recovery: recover(3) }),
      service({ failsAt: 2, recovery: recover(2) }),
    ],
    commonCauses: [],
  }
  const { of, degraded } = runOnce(model)
  expect(of(0)).toEqual([{ service: 0, start: 5, end: 8, finished: true }])
  expect(degraded).toEqual([[0, 2, 4]])
})

test('a shock fails all its members at once, and the horizon cuts an outage off', () => {
  const { outages } = runOnce(
    {
      services: [service({ recovery: recover(100) }), service({ recovery: recover(100) })],
      commonCauses: [{ members: [0, 1], interval: fixed(40) }],
    },
    60,
  )
  expect(outages).toEqual([
    { service: 0, start: 40, end: 60, finished: false },
    { service: 1, start: 40, end: 60, finished: false },
  ])
})

describe('against closed forms', () => {
  const unit = service({ failure: exponential(1_000), recovery: { prepare: [], restore: [exponential(4)] } })
  const objectives = (n: number) => Array.from({ length: n }, () => ({ rto: null, rpo: null, level: 0.95 }))

  test('availability of a pair behind a single point equals the exact analysis', () => {
    const groups = [{ k: 1, targets: [1, 2], detection: 0 }]
    const front: Service = { ...unit, failure: null, dependencies: [needs(3)], groups }
    const simulator = createOutageSimulator({ services: [front, unit, unit, unit], commonCauses: [] })
    const statistics = createOutageStatistics(objectives(4))
    const [runs, horizon] = [200, 200_000]
    for (let run = 0; run < runs; run++) simulator.run(uniformOf(run), horizon, statistics.recorder)
    const [system] = statistics.summarize(runs * horizon)
    const p = steadyStateAvailability(1_000, 4)
    const exact = analyzeAvailability(series(component(2), parallel(component(0), component(1))), [
      p,
      p,
      p,
    ]).availability
    // 40,000 outages of mean 4: standard error of the unavailability below 1 %, 4 of them allowed.
    expect(Math.abs((system?.availability ?? 0) - exact)).toBeLessThan(0.04 * (1 - exact))
  })

  test('detect, fail over and verify of PERT lengths: mean 16.8333, p50 16.557, p95 24.322, P(≤ 20) 0.774', () => {
    // Oracle rto, by convolution of the three laws; tolerances of four standard errors.
    const pert = (low: number, mode: number, high: number) => lawOf({ type: 'pert', low, mode, high }).quantile
    const recovery = { prepare: [pert(1, 5, 15)], restore: [pert(2, 5, 20), pert(1, 3, 10)] }
    const simulator = createOutageSimulator({ services: [service({ failsAt: 0, recovery })], commonCauses: [] })
    const statistics = createOutageStatistics([{ rto: 20, rpo: null, level: 0.9 }])
    const runs = 4_000
    for (let run = 0; run < runs; run++) simulator.run(uniformOf(run), 100, statistics.recorder)
    const [summary] = statistics.summarize(runs * 100)
    const mean = (1 - (summary?.availability ?? 0)) * 100
    expect(Math.abs(mean - 16.8333)).toBeLessThan((4 * 4.26735) / Math.sqrt(runs))
    expect(Math.abs((summary?.rto?.p50 ?? 0) - 16.557)).toBeLessThan(0.35)
    expect(Math.abs((summary?.rto?.p95 ?? 0) - 24.322)).toBeLessThan(0.6)
    expect(Math.abs((summary?.rtoVerdict?.share ?? 0) - 0.77404)).toBeLessThan(4 * Math.sqrt(0.1749 / runs))
    expect(summary?.rtoVerdict?.verdict).toBe('not_met')
  })

  test('data loss of an hourly copy with 5 minutes lag: mean 35, p95 62, P(≤ 30) 0.4167', () => {
    const copies = { interval: 60, lag: 5, restoreSuccess: 1 }
    const database = service({ failsAt: 0, data: copies })
    const losses: number[] = []
    const statistics = createOutageStatistics([{ rto: null, rpo: 30, level: 0.5 }])
    const simulator = createOutageSimulator({ services: [database], commonCauses: [] })
    const runs = 20_000
    for (let run = 0; run < runs; run++) {
      const dataLoss = (index: number, loss: number) => {
        losses.push(loss)
        statistics.recorder.dataLoss(index, loss)
      }
      simulator.run(uniformOf(run), 10, { ...statistics.recorder, dataLoss })
    }
    const [summary] = statistics.summarize(runs * 10)
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / runs
    expect(Math.abs(mean - 35)).toBeLessThan((4 * 60) / Math.sqrt(12 * runs))
    expect(Math.abs((summary?.rpo?.p95 ?? 0) - 62)).toBeLessThan(0.4)
    expect(Math.abs((summary?.rpoVerdict?.share ?? 0) - 0.4166667)).toBeLessThan(4 * Math.sqrt(0.243 / runs))
    expect(summary?.rpoVerdict?.verdict).toBe('not_met')
  })

  test('each failed restore costs another copy interval and another restore', () => {
    const database = service({ failsAt: 0, data: { interval: 60, lag: 0, restoreSuccess: 0.5 } })
    const simulator = createOutageSimulator({ services: [database], commonCauses: [] })
    let [loss, length] = [0, 0]
    const runs = 20_000
    const recorder: OutageRecorder = {
      outage: (_, start, end) => {
        length += end - start
      },
      degraded: () => {},
      dataLoss: (_, lost) => {
        loss += lost
      },
    }
    for (let run = 0; run < runs; run++) simulator.run(uniformOf(run), 10_000, recorder)
    // Geometric attempts of mean 2 (sd √2): loss 30 + 60·1, length 2·1.
    expect(Math.abs(length / runs - 2)).toBeLessThan((4 * Math.SQRT2) / Math.sqrt(runs))
    expect(Math.abs(loss / runs - 90)).toBeLessThan((4 * Math.sqrt(2 * 3_600 + 300)) / Math.sqrt(runs))
  })
})

test('a faster step never lengthens an outage of the same random numbers', () => {
  const model = (factor: number): ServiceModel => ({
    services: [
      service({
        failsAt: 0,
        dependencies: [needs(1)],
        recovery: { prepare: [exponential(3)], restore: [exponential(5)] },
      }),
      service({ failsAt: 0, recovery: { prepare: [], restore: [(u) => factor * exponential(8)(u)] } }),
    ],
    commonCauses: [],
  })
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, factor) => {
      const lengthOf = (each: ServiceModel) => {
        let length = 0
        const outage = (index: number, start: number, end: number) => {
          if (index === 0) length = end - start
        }
        createOutageSimulator(each).run(uniformOf(seed), 1_000, { outage, degraded: () => {}, dataLoss: () => {} })
        return length
      }
      expect(lengthOf(model(factor))).toBeLessThanOrEqual(lengthOf(model(1)) + 1e-12)
    }),
  )
})

test('statistics of blocks merged in order equal themselves, and counts equal those of one pass', () => {
  const model = { services: [service({ failure: exponential(10), recovery: recover(1) })], commonCauses: [] }
  const objective = [{ rto: 1, rpo: null, level: 0.95 }]
  const simulate = (runs: readonly number[]) => {
    const statistics = createOutageStatistics(objective)
    for (const run of runs) createOutageSimulator(model).run(uniformOf(run), 100, statistics.recorder)
    return statistics
  }
  const merged = createOutageStatistics(objective)
  for (const block of [
    [0, 1],
    [2, 3],
  ])
    merged.merge(JSON.parse(JSON.stringify(simulate(block).state())))
  const [whole, parts] = [simulate([0, 1, 2, 3]).state()[0], merged.state()[0]]
  expect(parts?.outages).toBe(whole?.outages)
  expect(parts?.downTime).toBeCloseTo(whole?.downTime ?? 0, 9)
})

describe('an invalid model is refused', () => {
  test('a cycle of hard dependencies is named', () => {
    const services = [
      service({ dependencies: [needs(1)] }),
      service({ groups: [{ k: 1, targets: [2], detection: 0 }] }),
      service({ dependencies: [needs(1)] }),
    ]
    expect(() => createOutageSimulator({ services, commonCauses: [] })).toThrow(
      expect.objectContaining({ name: 'ServiceModelError', cycle: [1, 2, 1] }),
    )
  })

  test.each([
    ['unknown target', service({ dependencies: [needs(7)] })],
    ['negative detection', service({ dependencies: [needs(0, 'soft', -1)] })],
    ['k above n', service({ groups: [{ k: 2, targets: [], detection: 0 }] })],
    ['restore success 0', service({ data: { interval: 1, lag: 0, restoreSuccess: 0 } })],
    ['copy interval 0', service({ data: { interval: 0, lag: 0, restoreSuccess: 1 } })],
    ['negative failure time', service({ failsAt: -1 })],
  ])('%s', (_, given) => {
    expect(() => createOutageSimulator({ services: [given], commonCauses: [] })).toThrow(ServiceModelError)
  })

  test('unknown member of a common cause, infinite horizon', () => {
    const commonCauses = [{ members: [4], interval: fixed(1) }]
    expect(() => createOutageSimulator({ services: [service()], commonCauses })).toThrow(ServiceModelError)
    expect(() => runOnce({ services: [service()], commonCauses: [] }, Number.POSITIVE_INFINITY)).toThrow(RangeError)
  })
})
