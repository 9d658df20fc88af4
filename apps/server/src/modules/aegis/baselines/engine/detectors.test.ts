import { expect, test } from 'vitest'
import { type HourValues, scaled, unitOf, unscaled } from './features.ts'
import { scoreOf, severityOf } from './finding.ts'
import { judgeLevel, ringSize } from './level.ts'
import { judgeNovelty } from './novelty.ts'
import { scoreHour } from './score-hour.ts'
import { judgeSequences } from './sequence.ts'
import {
  type BaselineState,
  type Bucket,
  bucketOf,
  bucketWithout,
  dayKindOf,
  emptyState,
  stateWithout,
} from './state.ts'
import { judgeToolMix } from './tool-mix.ts'

const hour = Math.floor(Date.parse('2026-06-01T10:00:00Z') / 3_600_000)
const none: HourValues = {
  ...{ calls: 0, tokens_in: 0, tokens_out: 0, cost: 0, error_ratio: 0, distinct_tools: 0 },
  ...{ distinct_destinations: 0, bytes_out: 0, denied: 0, median_gap: null },
}
const totals = { calls: 1_000, tokens_in: 500_000, tokens_out: 100_000, cost: 1, bytes_out: 0 }
const warm: BaselineState = { ...emptyState(hour - 40 * 24), totals }

const bucketOfCalls = (values: readonly number[]): Bucket => ({
  calls: values.map((calls, index) => [hour - (index + 1) * 24, scaled('calls', { ...none, calls }, totals)?.y ?? 0]),
})

test('1970 began on a Thursday, and weekends have buckets of their own', () => {
  expect(
    ['2026-06-05', '2026-06-06', '2026-06-07', '2026-06-08'].map((day) => dayKindOf(Date.parse(day) / 86_400_000)),
  ).toEqual([...['weekday', 'weekend', 'weekend', 'weekday']])
  expect(bucketOf(hour)).toBe(10)
  expect(bucketOf(hour - 24)).toBe(34)
})

test('amounts are counted in usual calls, and come back in their own unit', () => {
  expect(unitOf('tokens_in', totals)).toBe(500)
  const one = scaled('tokens_in', { ...none, calls: 3, tokens_in: 1_500 }, totals)
  expect(one).toEqual(scaled('calls', { ...none, calls: 3 }, totals))
  expect(unscaled('tokens_in', one?.y ?? 0, 500)).toBeCloseTo(1_500, 6)
  expect(scaled('error_ratio', { ...none, calls: 4, error_ratio: 1 }, totals)).toBeNull()
})

test('a level shift needs the warm-up, ten values, and 6 once or 3.5 twice in a row', () => {
  const bucket = bucketOfCalls(Array(20).fill(4))
  const at = (state: BaselineState, given: Bucket, calls: number) =>
    judgeLevel({ state, bucket: given, peers: {}, hour, values: { ...none, calls } }).finding
  expect(at(warm, bucket, 4)).toBeNull()
  expect(at(warm, bucket, 40)).toMatchObject({
    detector: 'level',
    feature: 'calls',
    observed: 40,
    from: hour,
    to: hour + 1,
  })
  expect(at(emptyState(hour - 13 * 24), bucket, 40)).toBeNull()
  expect(at({ ...warm, totals: { ...totals, calls: 199 } }, bucket, 40)).toBeNull()
  expect(at(warm, bucketOfCalls(Array(9).fill(4)), 40)).toBeNull()
  // 16 calls are 3.8 deviations above four.
  expect(at(warm, bucket, 16)).toBeNull()
  const twice = { ...warm, previous: { hour: hour - 1, z: { calls: 3.8 } } }
  expect(at(twice, bucket, 16)?.feature).toBe('calls')
  expect(at({ ...twice, previous: { hour: hour - 2, z: { calls: 3.8 } } }, bucket, 16)).toBeNull()
})

test('a bucket keeps its last thirty values', () => {
  const { bucket } = judgeLevel({
    state: warm,
    bucket: bucketOfCalls(Array(40).fill(4)),
    peers: {},
    hour,
    values: none,
  })
  expect(bucket.calls).toHaveLength(ringSize)
  expect(bucket.calls?.at(-1)?.[0]).toBe(hour)
})

test('another tool mix fires, the same one does not', () => {
  const toolDays = [{ day: Math.floor(hour / 24) - 1, counts: { search: 900, read: 100 } }]
  const today = (tools: Readonly<Record<string, number>>) =>
    judgeToolMix({ ...warm, toolDays, today: { day: Math.floor(hour / 24), values: {}, tools, calls: 100 } }, hour)
  expect(today({ search: 88, read: 12 }).finding).toBeNull()
  expect(today({ send: 60 }).finding).toMatchObject({ detector: 'tool_mix', threshold: expect.any(Number) })
  expect(today({ send: 60 }).toolDays).toHaveLength(2)
})

test('a sequence that the agent never made is rare', () => {
  const usual = ['plan', 'search', 'read', 'search', 'read', 'write', 'plan', 'search', 'read', 'write']
  const learned = judgeSequences(warm, { hour, sequences: Array(1_200).fill(usual) })
  const state = { ...warm, chain: learned.chain, windows: learned.windows }
  expect(judgeSequences(state, { hour, sequences: [usual] }).finding).toBeNull()
  const strange = ['read', 'send', 'delete', 'read', 'send', 'delete', 'write', 'write', 'send', 'plan']
  expect(judgeSequences(state, { hour, sequences: [strange] }).finding).toMatchObject({ detector: 'sequence' })
})

test('a first use counts less the older the agent is; before the warm-up only what is not declared', () => {
  const use = { kind: 'tool', name: 'bank/pay', capability: 1 }
  const young = emptyState(hour - 24)
  const at = (state: BaselineState, declared: boolean) =>
    judgeNovelty(state, { hour, uses: [{ ...use, declared }] }).map(({ strength }) => strength)
  expect(at(young, true)).toEqual([])
  expect(at(young, false)).toEqual([0.5])
  expect(at(warm, true)).toEqual([1 / 41])
})

test('daily medians that stay higher drift out of the limits, and one burst does not', () => {
  let state: BaselineState = emptyState(hour - 10)
  const buckets = new Map<number, Bucket>()
  const found = Array.from({ length: 70 * 24 }, (_, index) => hour - 10 + index).flatMap((at) => {
    const day = Math.floor((at - hour + 10) / 24)
    // A quarter more from day 50 on: no hour of it is a level shift.
    const calls = day >= 50 ? 25 + (at % 3) : 18 + ((at * 7) % 5)
    const result = scoreHour(state, buckets.get(bucketOf(at)) ?? {}, {
      ...{ hour: at, values: { ...none, calls }, tools: {}, sequences: [], firstUses: [] },
    })
    state = result.state
    buckets.set(bucketOf(at), result.bucket)
    return result.findings
  })
  expect(found.filter(({ detector }) => detector === 'level')).toEqual([])
  const drift = found.filter(({ detector }) => detector === 'drift')
  expect(drift.length).toBeGreaterThan(0)
  expect(drift[0]).toMatchObject({ feature: 'calls', observed: expect.any(Number) })
  expect(drift[0]?.from).toBeGreaterThan(hour + 48 * 24)
})

test('detectors together count more, and severity follows the tier', () => {
  expect(scoreOf([{ strength: 0.5 }, { strength: 0.5 }])).toBe(75)
  expect([1, 2, 3, 4].map((tier) => severityOf(58, tier))).toEqual(['medium', 'medium', 'medium', 'high'])
  expect(severityOf(10, 4)).toBe('low')
  expect(severityOf(100, 3)).toBe('critical')
})

test('hours of a confirmed attack are nothing to compare with', () => {
  const bucket = bucketOfCalls(Array(20).fill(4))
  const attacks = [{ from: hour - 48, to: hour - 47 }]
  expect(bucketWithout(bucket, attacks).calls).toHaveLength(19)
  expect(bucketWithout(bucket, attacks).calls?.some(([at]) => at === hour - 48)).toBe(false)
  const toolDays = [{ day: Math.floor((hour - 48) / 24), counts: { a: 1 } }]
  expect(stateWithout({ ...warm, toolDays }, attacks).toolDays).toEqual([])
})
