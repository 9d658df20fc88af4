/** Rates of a dry run by the times of its items: an exact sliding window for each key. Pure. Tested in evaluation.test.ts. */
import type { RateCounter } from '../engine/evaluate.ts'

export function replayedRates(): RateCounter {
  const taken = new Map<string, { readonly atMs: number; readonly cost: number }[]>()
  return ({ key, check, cost, atMs }) => {
    const from = atMs - check.window_seconds * 1_000
    const recent = (taken.get(key) ?? []).filter((one) => one.atMs > from)
    const used = recent.reduce((sum, one) => sum + one.cost, 0)
    const isOver = used + cost > check.limit
    taken.set(key, isOver ? recent : [...recent, { atMs, cost }])
    return isOver
  }
}
