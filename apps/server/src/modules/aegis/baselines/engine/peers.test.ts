import { expect, test } from 'vitest'
import { type HourValues, scaled } from './features.ts'
import { judgeLevel } from './level.ts'
import { fewestPeers, peerBucket } from './peers.ts'
import { type BaselineState, type Bucket, emptyState } from './state.ts'

const hour = Math.floor(Date.parse('2026-06-01T10:00:00Z') / 3_600_000)
const none: HourValues = {
  ...{ calls: 0, tokens_in: 0, tokens_out: 0, cost: 0, error_ratio: 0, distinct_tools: 0 },
  ...{ distinct_destinations: 0, bytes_out: 0, denied: 0, median_gap: null },
}
const young = emptyState(hour - 2 * 24)
const totals = { ...young.totals, calls: 1_000 }

const bucketOfCalls = (calls: number, values: number): Bucket => ({
  calls: Array.from({ length: values }, (_, at) => [
    hour - (at + 1) * 24,
    scaled('calls', { ...none, calls }, totals)?.y ?? 0,
  ]),
})
const group = (agents: number, values = 20) =>
  peerBucket(Array.from({ length: agents }, () => bucketOfCalls(10, values)))
const found = (calls: number, peers = group(fewestPeers), state: BaselineState = young, bucket: Bucket = {}) =>
  judgeLevel({ state, bucket, peers, hour, values: { ...none, calls } })

test('a group says nothing with fewer than five agents that have ten values', () => {
  expect(group(fewestPeers - 1)).toEqual({})
  expect(group(fewestPeers, 9)).toEqual({})
  expect(group(fewestPeers, 10).calls).toHaveLength(fewestPeers)
})

test('during the warm-up only an hour far beyond the peers fires, and it says so', () => {
  expect(found(10).finding).toBeNull()
  expect(found(200).finding).toMatchObject({ detector: 'level', feature: 'calls', observed: 200, baseline: 'peers' })
  expect(found(200).finding?.expected).toBeCloseTo(10, 5)
  expect(found(200, {}).finding).toBeNull()
})

test('the rule of two hours in a row is for an agent’s own past', () => {
  // Between 3.5 and 6 deviations.
  const twice = { ...young, previous: { hour: hour - 1, z: { calls: 5 } } }
  const calls = 26
  expect(found(calls, group(fewestPeers), twice).finding).toBeNull()
  expect(found(calls, group(fewestPeers), twice).z.calls).toBeUndefined()
  const warm = { ...twice, since: hour - 40 * 24, totals }
  expect(found(calls, group(fewestPeers), warm, bucketOfCalls(10, 20)).finding).toMatchObject({ baseline: 'own' })
})

test('peers differ in how busy they are, and an hour is compared with the one it is most like', () => {
  const busy = peerBucket([...Array.from({ length: 5 }, () => bucketOfCalls(10, 20)), bucketOfCalls(200, 20)])
  expect(found(220, busy).finding).toBeNull()
  expect(found(2_000, busy).finding?.expected).toBeCloseTo(200, 5)
})

test('an agent with a past of its own is not held to its peers', () => {
  const warm = { ...young, since: hour - 40 * 24, totals }
  expect(found(200, group(fewestPeers), warm, bucketOfCalls(200, 20)).finding).toBeNull()
})
