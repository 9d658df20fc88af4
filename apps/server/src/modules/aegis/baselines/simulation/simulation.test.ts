import { expect, test } from 'vitest'
import type { Finding } from '../engine/finding.ts'
import { scoreHour } from '../engine/score-hour.ts'
import { type BaselineState, type Bucket, bucketOf, emptyState } from '../engine/state.ts'
import { createTraffic, type TrafficSource } from './traffic.ts'

/** A Monday. */
const start = Math.floor(Date.parse('2026-01-05T00:00:00Z') / 3_600_000)
const weeks = 14
const agents = 24
/** The benign month: the last four weeks. */
const monthFrom = start + (weeks - 4) * 168

interface Life {
  state: BaselineState
  readonly buckets: Map<number, Bucket>
}

function live(
  life: Life,
  source: TrafficSource,
  span: { readonly from: number; readonly to: number; readonly factor?: number },
) {
  const found: Finding[] = []
  for (let hour = span.from; hour < span.to; hour += 1) {
    const key = bucketOf(hour)
    const result = scoreHour(life.state, life.buckets.get(key) ?? {}, source.next(hour, span.factor ?? 1))
    life.state = result.state
    life.buckets.set(key, result.bucket)
    found.push(...result.findings)
  }
  return found
}

const lives = Array.from({ length: agents }, (_, agent) => {
  const source = createTraffic(20_260_105, agent)
  const life: Life = { state: emptyState(start), buckets: new Map() }
  const before = live(life, source, { from: start, to: monthFrom })
  const month = live(life, source, { from: monthFrom, to: start + weeks * 168 })
  return { source, life, before, month }
})

test('at most 0.1 anomalies per agent-week over all detectors in the benign month', () => {
  const found = lives.flatMap(({ month }) => month)
  expect(found.length / (agents * 4)).toBeLessThanOrEqual(0.1)
})

test('no statistical detector fires in the first fourteen days', () => {
  const early = lives.flatMap(({ before }) => before.filter(({ from }) => from < start + 14 * 24 - 24))
  expect(early).toEqual([])
})

test('at least 95 % of tenfold bursts of two working hours are caught, and most threefold ones are not', () => {
  const end = start + weeks * 168
  const caught = (factor: number): number => {
    let [bursts, hits] = [0, 0]
    for (const { source, life } of lives)
      for (const hourOfDay of [9, 11, 14, 16]) {
        const copy: Life = { state: life.state, buckets: new Map(life.buckets) }
        live(copy, source, { from: end, to: end + hourOfDay })
        const found = live(copy, source, { from: end + hourOfDay, to: end + hourOfDay + 2, factor })
        bursts += 1
        if (found.some(({ detector }) => detector === 'level')) hits += 1
      }
    return hits / bursts
  }
  expect(caught(10)).toBeGreaterThanOrEqual(0.95)
  // The limits of the method are part of its description.
  expect(caught(3)).toBeLessThan(0.8)
})
