/**
 * Features of an agent's hour and the scale on which they are compared. Counts are variance-stabilized by Anscombe's
 * transform, ratios by the arcsine root; amounts are first divided by their mean per call, so that they are counts of usual
 * calls. Pure. Tested in detectors.test.ts.
 */
import { anscombe, arcsineRoot, arcsineRootDeviation } from '@parapet/quant'

export const features = [
  'calls',
  'tokens_in',
  'tokens_out',
  'cost',
  'error_ratio',
  'distinct_tools',
  'distinct_destinations',
  'bytes_out',
  'denied',
] as const
export type Feature = (typeof features)[number]

const amounts = ['tokens_in', 'tokens_out', 'cost', 'bytes_out'] as const
type Amount = (typeof amounts)[number]
const isAmount = (feature: Feature): feature is Amount => (amounts as readonly Feature[]).includes(feature)

/** Activity of an agent in an hour; `error_ratio` is failed calls by calls. */
export type HourValues = Readonly<Record<Feature, number>> & {
  /** Seconds between calls; null with fewer than two. Shown and not scored: a fast agent shows in its calls. */
  readonly median_gap: number | null
}

/** Sums over all hours that were learned. */
export type Totals = Readonly<Record<'calls' | Amount, number>>

export const noTotals: Totals = { calls: 0, tokens_in: 0, tokens_out: 0, cost: 0, bytes_out: 0 }

export const addTotals = (totals: Totals, hour: HourValues): Totals => ({
  calls: totals.calls + hour.calls,
  tokens_in: totals.tokens_in + hour.tokens_in,
  tokens_out: totals.tokens_out + hour.tokens_out,
  cost: totals.cost + hour.cost,
  bytes_out: totals.bytes_out + hour.bytes_out,
})

/** Calls below which an hour says nothing about its share of errors. */
const fewestCalls = 5

/** A feature on the scale of comparison. */
export interface Scaled {
  readonly y: number
  /** Smallest standard deviation to divide by. */
  readonly floor: number
}

/** Null where the hour says nothing about the feature. */
export function scaled(feature: Feature, hour: HourValues, totals: Totals): Scaled | null {
  if (feature === 'error_ratio')
    return hour.calls < fewestCalls
      ? null
      : { y: arcsineRoot(Math.min(1, hour.error_ratio)), floor: arcsineRootDeviation(hour.calls) }
  return { y: anscombe(hour[feature] / unitOf(feature, totals, hour)), floor: 1 }
}

/** How much of the feature a usual call makes; 1 for counts. */
export function unitOf(feature: Feature, totals: Totals, hour?: HourValues): number {
  if (!isAmount(feature)) return 1
  const usual = totals.calls > 0 ? totals[feature] / totals.calls : 0
  if (usual > 0) return usual
  // Never seen before: the hour is as unusual as its number of calls.
  const now = hour === undefined || hour.calls === 0 ? 0 : hour[feature] / hour.calls
  return now > 0 ? now : 1
}

/** A value on the scale of comparison in the feature's own unit again. */
export function unscaled(feature: Feature, y: number, unit: number): number {
  if (feature === 'error_ratio') return Math.sin(Math.min(Math.PI / 2, Math.max(0, y))) ** 2
  return Math.max(0, (Math.max(0, y) / 2) ** 2 - 0.375) * unit
}
