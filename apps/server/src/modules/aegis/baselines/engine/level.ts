/**
 * Level shifts: robust z of each feature against the last 30 values of its seasonal bucket. Fires above 6 once, or above
 * 3.5 in two consecutive hours, and names the feature that deviates most. Pure. Tested in detectors.test.ts.
 */
import { defaultLevelShiftRule, isLevelShift, median, medianAbsoluteDeviation, robustZ } from '@parapet/quant'
import { type Feature, features, type HourValues, scaled, type Totals, unitOf, unscaled } from './features.ts'
import type { Finding } from './finding.ts'
import { type BaselineState, type Bucket, isWarm, type Ring, warmUp } from './state.ts'

export const ringSize = 30
const madScale = 1.4826

export interface LevelInput {
  readonly state: BaselineState
  readonly bucket: Bucket
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
  const { state, bucket, hour, values } = input
  const z: Partial<Record<Feature, number>> = {}
  const after: Partial<Record<Feature, Ring>> = { ...bucket }
  const shifts: Shift[] = []
  for (const feature of features) {
    const value = scaled(feature, values, state.totals)
    if (value === null) continue
    const ring = bucket[feature] ?? []
    after[feature] = [...ring, [hour, value.y] as const].slice(-ringSize)
    if (ring.length < warmUp.valuesInBucket || !isWarm(state, hour)) continue
    const sample = ring.map(([, y]) => y)
    const own = robustZ(value.y, sample, value.floor)
    z[feature] = own
    if (isLevelShift(own, previousZ(state, hour, feature)))
      shifts.push(shiftOf({ feature, z: own, sample, floor: value.floor }, { hour, values, totals: state.totals }))
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
}

interface At {
  readonly hour: number
  readonly values: HourValues
  readonly totals: Totals
}

function shiftOf({ feature, z, sample, floor }: Judged, { hour, values, totals }: At): Shift {
  const unit = unitOf(feature, totals, values)
  const middle = median(sample)
  const limit = z > defaultLevelShiftRule.single ? defaultLevelShiftRule.single : defaultLevelShiftRule.repeated
  const scale = Math.max(madScale * medianAbsoluteDeviation(sample), floor)
  return {
    ...{ detector: 'level', feature, z, observed: values[feature] },
    expected: unscaled(feature, middle, unit),
    threshold: unscaled(feature, middle + limit * scale, unit),
    strength: Math.min(1, z / 12),
    ...{ from: hour, to: hour + 1 },
  }
}

const withoutZ = ({ z: _z, ...finding }: Shift): Finding => finding
