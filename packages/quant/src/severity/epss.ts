import { expm1, log1p } from '../numeric/exp-log.ts'

/** Days of the window that an EPSS probability speaks of. */
const epssWindowDays = 30

/**
 * Probability of exploitation within a horizon, from an EPSS probability (30 days), by a constant hazard:
 * 1 − (1 − p)^(T/30).
 *
 * @param probability EPSS, 0..1
 * @param days horizon in days, 0 or more
 */
export function exploitationWithin(probability: number, days: number): number {
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`EPSS must be 0..1, got ${probability}`)
  if (!(days >= 0)) throw new RangeError(`Horizon must be 0 days or more, got ${days}`)
  if (days === 0) return 0
  return -expm1((days / epssWindowDays) * log1p(-probability))
}
