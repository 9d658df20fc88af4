import { describe, expect, test } from 'vitest'
import { eventCount, valueAvg, valueCount, valuePercentile, valueSum } from './counts.ts'
import { absence, anomaly, newValue, zScore } from './native.ts'
import type { Contribution, CorrelationPlan, Plan } from './plan.ts'
import { temporal } from './temporal.ts'

const base: CorrelationPlan = { type: 'event_count', windowMs: 10_000, bounds: {}, percentile: null, sources: 1 }

type Given = readonly [at: number, value?: unknown, source?: number]

/** Moments at which it fires, after a journey of each state through JSON as the database makes it. */
function firing(plan: Plan, given: readonly Given[]): readonly number[] {
  let state: unknown
  return given.flatMap(([at, value, source = 0]) => {
    const contribution: Contribution = { at, value, source }
    const step = plan(state, contribution)
    state = JSON.parse(JSON.stringify(step.state))
    return step.fired ? [at] : []
  })
}

const seconds = (...moments: readonly number[]): readonly Given[] => moments.map((second) => [second * 1_000])

describe('event_count', () => {
  const three = eventCount({ ...base, bounds: { gte: 3 } })
  test.each<[string, readonly number[], readonly number[]]>([
    ['fires at each event of a window that holds enough', [1, 2, 3, 4], [3, 4]],
    ['leaves out an event that is as old as the window', [1, 2, 11], []],
    ['counts one that is a little younger', [1, 2, 10.999], [10.999]],
    ['begins anew after a pause', [1, 2, 100, 101], []],
    ['counts an event that comes late into its window', [1, 3, 20, 2], [2]],
    ['does not count one that comes more than a minute late', [1, 3, 70, 2], []],
  ])('%s', (_name, moments, expected) => {
    expect(firing(three, seconds(...moments))).toEqual(expected.map((second) => second * 1_000))
  })

  test('takes several bounds', () => {
    const some = eventCount({ ...base, bounds: { gt: 1, lt: 3 } })
    expect(firing(some, seconds(1, 2, 3, 4))).toEqual([2_000])
  })

  test('tells what came too late, and when its state says nothing any more', () => {
    const { state } = three(undefined, { at: 100_000, value: undefined, source: 0 })
    expect(three(state, { at: 39_000, value: undefined, source: 0 })).toMatchObject({ late: true, state })
    expect(three(undefined, { at: 0, value: undefined, source: 0 }).expiresAt).toBe(70_000)
  })
})

test('value_count counts distinct values, and no event without one', () => {
  const plan = valueCount({ ...base, bounds: { gte: 3 } })
  expect(firing(plan, [[1, 'a'], [2, 'a'], [3, 'b'], [4], [5, 'c']])).toEqual([5])
})

test('value_sum, value_avg and value_percentile measure numbers, also those written as text', () => {
  const given: readonly Given[] = [
    [1, '1.5'],
    [2, 2.5],
    [3, 'x'],
    [4, 6],
  ]
  expect(firing(valueSum({ ...base, bounds: { gte: 10 } }), given)).toEqual([4])
  expect(firing(valueAvg({ ...base, bounds: { lt: 2.1 } }), given)).toEqual([1, 2])
  // Type 7 of Hyndman and Fan: the 50th percentile of 1.5, 2.5 and 6 is 2.5, the 75th 4.25.
  expect(firing(valuePercentile({ ...base, percentile: 50, bounds: { eq: 2.5 } }), given)).toEqual([4])
  expect(firing(valuePercentile({ ...base, percentile: 75, bounds: { eq: 4.25 } }), given)).toEqual([4])
})

describe('temporal', () => {
  const given: readonly Given[] = [
    [2_000, null, 1],
    [4_000, null, 0],
    [5_000, null, 1],
    [30_000, null, 0],
  ]
  test('fires when all sources are in the window', () => {
    expect(firing(temporal({ ...base, sources: 2 }, false), given)).toEqual([4_000, 5_000])
  })
  test('in order, when they come in theirs', () => {
    expect(firing(temporal({ ...base, sources: 2 }, true), given)).toEqual([5_000])
  })
  test('keeps few events of a source that comes often', () => {
    let state: unknown
    const plan = temporal({ ...base, sources: 2 }, true)
    for (let at = 0; at < 500; at += 1) state = plan(state, { at, value: null, source: 0 }).state
    expect(JSON.stringify(state).length).toBeLessThan(1_000)
    expect(plan(state, { at: 600, value: null, source: 1 }).fired).toBe(true)
  })
})

describe('new_value', () => {
  test('fires at a value that the group did not have, and not at its first', () => {
    expect(firing(newValue(0), [[1, 'a'], [2, 'a'], [3, 'b'], [4, 'b'], [5]])).toEqual([3])
  })
  test('learns for as long as it is told', () => {
    expect(
      firing(newValue(10_000), [
        [0, 'a'],
        [5_000, 'b'],
        [10_000, 'c'],
      ]),
    ).toEqual([10_000])
  })
  test('forgets what was not seen for 90 days', () => {
    const day = 86_400_000
    expect(
      firing(newValue(0), [
        [0, 'a'],
        [day, 'b'],
        [91 * day, 'a'],
      ]),
    ).toEqual([day, 91 * day])
  })
})

test('absence is due a window and a minute after the last event', () => {
  const plan = absence(10_000)
  const { state, dueAt } = plan(undefined, { at: 5_000, value: null, source: 0 })
  expect(dueAt).toBe(75_000)
  expect(plan(state, { at: 1_000, value: null, source: 0 }).dueAt).toBe(75_000)
  expect(plan(state, { at: 6_000, value: null, source: 0 }).dueAt).toBe(76_000)
})

describe('anomaly', () => {
  test('compares by robust statistics', () => {
    // Ten windows of 2: median of y is 2√2.375, deviation 0, so the least scale of 1 counts.
    expect(zScore(20, Array(10).fill(2))).toBeCloseTo(2 * Math.sqrt(20.375) - 2 * Math.sqrt(2.375), 10)
    expect(zScore(1_000, Array(9).fill(2))).toBe(Number.NEGATIVE_INFINITY)
  })
  test('fires once in a window with many more events than before', () => {
    const plan = anomaly(1_000, 6)
    const usual: readonly Given[] = Array.from({ length: 24 }, (_, index) => [index * 500])
    const burst: readonly Given[] = Array.from({ length: 60 }, (_, index) => [12_000 + index])
    const fired = firing(plan, [...usual, ...burst])
    expect(fired).toHaveLength(1)
    expect(fired[0]).toBeGreaterThan(12_010)
  })
  test('counts windows without events', () => {
    const plan = anomaly(1_000, 6)
    const burst: readonly Given[] = Array.from({ length: 40 }, (_, index) => [20_000 + index])
    expect(firing(plan, [[0], ...burst])).toHaveLength(1)
  })
})
