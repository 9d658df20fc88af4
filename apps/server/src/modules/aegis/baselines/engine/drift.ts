/**
 * Slow drift: an EWMA control chart (λ = 0.2, limits of 3 standard deviations) of daily medians, each standardized by the
 * last days of its kind, so that weekends are compared with weekends. Fires when the average leaves the limits and begins
 * anew. Pure. Tested in detectors.test.ts.
 */
import { ewmaChart, ewmaNext, isOutOfControl, median, medianAbsoluteDeviation } from '@parapet/quant'
import { type Feature, unitOf, unscaled } from './features.ts'
import type { Finding } from './finding.ts'
import { type BaselineState, dayKindOf, isWarm } from './state.ts'

/** Features whose slow change is telling. */
const drifting = ['calls', 'tokens_out', 'error_ratio'] as const satisfies readonly Feature[]

export const daysKept = 28
/** Days of a kind without which a day is not judged. */
const fewestDays = 20
const madScale = 1.4826
/** Smallest standard deviation of daily medians; those of constant traffic have none. */
const floors: Readonly<Record<(typeof drifting)[number], number>> = { calls: 0.5, tokens_out: 0.5, error_ratio: 0.15 }
const chart = ewmaChart({ target: 0, deviation: 1, lambda: 0.2 })
/** Largest contribution of one day to the average: a burst is a level shift and no drift. */
const mostDaily = 2.5

export interface DriftResult {
  readonly days: BaselineState['days']
  readonly charts: BaselineState['charts']
  readonly findings: readonly Finding[]
}

/** @param hour the hour after the day's last one */
export function judgeDrift(state: BaselineState, hour: number): DriftResult {
  const { today } = state
  if (today === null) return { days: state.days, charts: state.charts, findings: [] }
  const kind = dayKindOf(today.day)
  const days: Partial<Record<Feature, readonly number[]>> = { ...state.days[kind] }
  const charts: Partial<Record<Feature, number>> = { ...state.charts }
  const findings: Finding[] = []
  for (const feature of drifting) {
    const hours = today.values[feature] ?? []
    if (hours.length === 0) continue
    const value = median(hours)
    const history = days[feature] ?? []
    days[feature] = [...history, value].slice(-daysKept)
    if (history.length < fewestDays || !isWarm(state, hour)) continue
    const spread = spreadOf(feature, history)
    const standardized = (value - median(history)) / spread
    const average = ewmaNext(chart, charts[feature] ?? 0, Math.max(-mostDaily, Math.min(mostDaily, standardized)))
    const isOut = isOutOfControl(chart, average)
    charts[feature] = isOut ? 0 : average
    if (isOut) findings.push(driftOf(state, { feature, value, history, spread, average, hour }))
  }
  // Features move together: the strongest stands for all.
  const strongest = findings.toSorted((a, b) => b.strength - a.strength).slice(0, 1)
  return { days: { ...state.days, [kind]: days }, charts, findings: strongest }
}

/** The larger of two estimates: from few days each alone is too small now and then. */
function spreadOf(feature: (typeof drifting)[number], history: readonly number[]): number {
  const mean = history.reduce((sum, value) => sum + value, 0) / history.length
  const squares = history.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / (history.length - 1))
  return Math.max(floors[feature], madScale * medianAbsoluteDeviation(history), deviation)
}

interface Out {
  readonly feature: Feature
  readonly value: number
  readonly history: readonly number[]
  readonly spread: number
  readonly average: number
  readonly hour: number
}

function driftOf(state: BaselineState, { feature, value, history, spread, average, hour }: Out): Finding {
  const unit = unitOf(feature, state.totals)
  const middle = median(history)
  const limit = average > 0 ? chart.upper : chart.lower
  return {
    ...{ detector: 'drift', feature },
    observed: unscaled(feature, value, unit),
    expected: unscaled(feature, middle, unit),
    threshold: unscaled(feature, middle + limit * spread, unit),
    // Less traffic than usual is worth knowing and rarely an attack.
    strength: average > 0 ? Math.min(1, average / (3 * chart.upper)) : 0.15,
    ...{ from: hour - 24, to: hour, baseline: 'own' },
  }
}
