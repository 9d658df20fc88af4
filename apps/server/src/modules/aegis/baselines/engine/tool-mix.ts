/**
 * Change of the tool mix: Jensen–Shannon divergence of a day's tool histogram from that of the last 28 days, against the
 * larger of 0.10 bits and the sampling noise. Pure. Tested in detectors.test.ts.
 */
import { mixShift } from '@parapet/quant'
import type { Finding } from './finding.ts'
import { type BaselineState, type DayTools, isWarm } from './state.ts'

const daysKept = 28

export interface MixResult {
  readonly toolDays: readonly DayTools[]
  readonly finding: Finding | null
}

/** @param hour the hour after the day's last one */
export function judgeToolMix(state: BaselineState, hour: number): MixResult {
  const { today, toolDays } = state
  if (today === null || Object.keys(today.tools).length === 0) return { toolDays, finding: null }
  const after = [...toolDays, { day: today.day, counts: today.tools }].filter(({ day }) => day > today.day - daysKept)
  const baseline = mixOf(toolDays)
  if (baseline.size === 0 || !isWarm(state, hour)) return { toolDays: after, finding: null }
  const { divergence, threshold, shifted } = mixShift(new Map(Object.entries(today.tools)), baseline)
  if (!shifted) return { toolDays: after, finding: null }
  const finding: Finding = {
    ...{ detector: 'tool_mix', feature: 'tool_mix', observed: divergence, expected: 0, threshold },
    strength: Math.min(1, 0.3 + divergence),
    ...{ from: hour - 24, to: hour, baseline: 'own' },
  }
  return { toolDays: after, finding }
}

/** Calls by tool over all days. */
export function mixOf(days: readonly DayTools[]): ReadonlyMap<string, number> {
  const mix = new Map<string, number>()
  for (const { counts } of days)
    for (const [name, count] of Object.entries(counts)) mix.set(name, (mix.get(name) ?? 0) + count)
  return mix
}
