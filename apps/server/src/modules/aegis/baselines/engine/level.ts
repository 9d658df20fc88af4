/**
 * Level shifts: robust z of each feature against the last 30 values of its seasonal bucket. Fires above 6 once, or above
 * 3.5 in two consecutive hours, and names the feature that deviates most. While the agent has too few values of its own,
 * those of its peers supply the baseline, and only an hour far beyond every one of them fires. Pure. Tested in detectors.test.ts.
 */
import { defaultLevelShiftRule, isLevelShift, median, medianAbsoluteDeviation, robustZ } from '@parapet/quant'
import { type Feature, features, type HourValues, scaled, type Totals, unitOf, unscaled } from './features.ts'
import type { Finding } from './finding.ts'
import { nearestPeer, type PeerBucket } from './peers.ts'
import { type BaselineState, type Bucket, isWarm, type Ring, warmUp } from './state.ts'

export const ringSize = 30
const madScale = 1.4826
/** Deviations from the most similar peer: peers may be twice as busy as one another, so that less says nothing. */
const peerLimit = 12

export interface LevelInput {
  readonly state: BaselineState
  readonly bucket: Bucket
  readonly peers: PeerBucket
  readonly hour: number
  readonly values: HourValues
}

export interface LevelResult {
  readonly bucket: Bucket
  readonly z: Readonly<Partial<Record<Feature, number>>>
  readonly finding: Finding | null
}

interface Shift extends Finding {
  readonly z: number
}

export function judgeLevel(input: LevelInput): LevelResult {
  const { state, bucket, peers, hour, values } = input
  const z: Partial<Record<Feature, number>> = {}
  const after: Partial<Record<Feature, Ring>> = { ...bucket }
  const shifts: Shift[] = []
  for (const feature of features) {
    const value = scaled(feature, values, state.totals)
    if (value === null) continue
    const ring = bucket[feature] ?? []
    after[feature] = [...ring, [hour, value.y] as const].slice(-ringSize)
    const isOwn = ring.length >= warmUp.valuesInBucket && isWarm(state, hour)
    const sample = isOwn ? ring.map(([, y]) => y) : nearestPeer(peers, feature, value)
    if (sample.length === 0) continue
    const distance = robustZ(value.y, sample, value.floor)
    if (isOwn) z[feature] = distance
    const judged = { feature, z: distance, sample, floor: value.floor, baseline: isOwn ? 'own' : 'peers' } as const
    if (isOwn ? isLevelShift(distance, previousZ(state, hour, feature)) : distance > peerLimit)
      shifts.push(shiftOf(judged, { hour, values, totals: state.totals }))
  }
  const [strongest = null] = shifts.toSorted((a, b) => b.z - a.z)
  return { bucket: after, z, finding: strongest === null ? null : withoutZ(strongest) }
}

function previousZ({ previous }: BaselineState, hour: number, feature: Feature): number | null {
  return previous !== null && previous.hour === hour - 1 ? (previous.z[feature] ?? null) : null
}

interface Judged {
  readonly feature: Feature
  readonly z: number
  readonly sample: readonly number[]
  readonly floor: number
  readonly baseline: Finding['baseline']
}

interface At {
  readonly hour: number
  readonly values: HourValues
  readonly totals: Totals
}

function shiftOf({ feature, z, sample, floor, baseline }: Judged, { hour, values, totals }: At): Shift {
  const unit = unitOf(feature, totals, values)
  const middle = median(sample)
  const { single, repeated } = defaultLevelShiftRule
  const limit = baseline === 'peers' ? peerLimit : z > single ? single : repeated
  const scale = Math.max(madScale * medianAbsoluteDeviation(sample), floor)
  return {
    ...{ detector: 'level', feature, z, observed: values[feature] },
    expected: unscaled(feature, middle, unit),
    threshold: unscaled(feature, middle + limit * scale, unit),
    strength: Math.min(1, z / 12),
    ...{ from: hour, to: hour + 1, baseline },
  }
}

const withoutZ = ({ z: _z, ...finding }: Shift): Finding => finding
