import { describe, expect, test } from 'vitest'
import type { Finding } from '../engine/finding.ts'
import { peerBucket } from '../engine/peers.ts'
import { scoreHour } from '../engine/score-hour.ts'
import { type BaselineState, type Bucket, bucketOf, emptyState } from '../engine/state.ts'
import { createTraffic, type TrafficSource } from './traffic.ts'

/** A Monday. */
const start = Math.floor(Date.parse('2026-01-05T00:00:00Z') / 3_600_000)
const weeks = 14
const end = start + weeks * 168
/** The benign month: the last four weeks. */
const monthFrom = start + (weeks - 4) * 168

interface Life {
  state: BaselineState
  readonly buckets: Map<number, Bucket>
}

interface Span {
  readonly from: number
  readonly to: number
  readonly factor?: number
  /** Agents alike that have lived longer. */
  readonly peers?: readonly Life[]
}

function live(life: Life, source: TrafficSource, { from, to, factor = 1, peers = [] }: Span) {
  const found: Finding[] = []
  for (let hour = from; hour < to; hour += 1) {
    const key = bucketOf(hour)
    const alike = peerBucket(peers.map(({ buckets }) => buckets.get(key) ?? {}))
    const input = { ...source.next(hour, factor), peers: alike }
    const result = scoreHour(life.state, life.buckets.get(key) ?? {}, input)
    life.state = result.state
    life.buckets.set(key, result.bucket)
    found.push(...result.findings)
  }
  return found
}

const copyOf = ({ state, buckets }: Life): Life => ({ state, buckets: new Map(buckets) })

function livesOf(seed: number, agents: number) {
  return Array.from({ length: agents }, (_, agent) => {
    const source = createTraffic(seed, agent)
    const life: Life = { state: emptyState(start), buckets: new Map() }
    const before = live(life, source, { from: start, to: monthFrom })
    const month = live(life, source, { from: monthFrom, to: end })
    return { source, life, before, month }
  })
}

type Lives = ReturnType<typeof livesOf>

/** Share of bursts of two working hours that the level detector finds. */
function caught(lives: Lives, factor: number): number {
  let [bursts, hits] = [0, 0]
  for (const { source, life } of lives)
    for (const hourOfDay of [9, 11, 14, 16]) {
      const copy = copyOf(life)
      live(copy, source, { from: end, to: end + hourOfDay })
      const found = live(copy, source, { from: end + hourOfDay, to: end + hourOfDay + 2, factor })
      bursts += 1
      if (found.some(({ detector }) => detector === 'level')) hits += 1
    }
  return hits / bursts
}

const anomaliesPerAgentWeek = (lives: Lives): number =>
  lives.reduce((sum, { month }) => sum + month.length, 0) / (lives.length * 4)

/** The thresholds were chosen with the first seed. The others were fixed before they ran and take no part in any choice. */
const seeds = [
  { name: 'the seed of the thresholds', seed: 20_260_105, agents: 24 },
  { name: 'the first held-out seed', seed: 31_337, agents: 12 },
  { name: 'the second held-out seed', seed: 8_675_309, agents: 12 },
].map((each) => ({ ...each, lives: livesOf(each.seed, each.agents) }))

describe.each(seeds)('with $name', ({ lives }) => {
  test('at most 0.1 anomalies per agent-week over all detectors in the benign month', () => {
    expect(anomaliesPerAgentWeek(lives)).toBeLessThanOrEqual(0.1)
  })

  test('no statistical detector fires in the first fourteen days', () => {
    expect(lives.flatMap(({ before }) => before.filter(({ from }) => from < start + 14 * 24 - 24))).toEqual([])
  })

  test('at least 95 % of tenfold bursts of two working hours are caught, and not all threefold ones', () => {
    expect(caught(lives, 10)).toBeGreaterThanOrEqual(0.95)
    // The limits of the method are part of its description.
    expect(caught(lives, 3)).toBeLessThan(0.9)
  })
})

describe('an agent in its first fourteen days among peers', () => {
  const old = (seeds[0]?.lives ?? []).slice(0, 8)
  const peers = old.map(({ life }) => life)
  const newcomers = Array.from({ length: 16 }, (_, agent) => createTraffic(271_828, agent))

  test('causes at most 0.1 anomalies per agent-week', () => {
    const found = newcomers.flatMap((source) => {
      const life: Life = { state: emptyState(end), buckets: new Map() }
      return live(life, source, { from: end, to: end + 14 * 24, peers })
    })
    expect(found.length / (newcomers.length * 2)).toBeLessThanOrEqual(0.1)
  })

  test('is found when it does twenty times the calls of its busiest peer', () => {
    const source = createTraffic(271_828, 0)
    const life: Life = { state: emptyState(end), buckets: new Map() }
    const busiest = Math.max(...old.map((peer) => peer.source.traffic.mean))
    const factor = (20 * busiest) / source.traffic.mean
    live(life, source, { from: end, to: end + 10, peers })
    const found = live(life, source, { from: end + 10, to: end + 11, factor, peers })
    expect(found).toEqual([expect.objectContaining({ detector: 'level', baseline: 'peers' })])
  })
})
