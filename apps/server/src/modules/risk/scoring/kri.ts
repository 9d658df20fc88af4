/** Status of a key risk indicator by its thresholds. Pure. Tested in kri.test.ts. */
export const kriStatuses = ['green', 'amber', 'red'] as const
export type KriStatus = (typeof kriStatuses)[number]

export interface Thresholds {
  readonly amber: number
  readonly red: number
  /** `above`: a higher value is worse. */
  readonly direction: 'above' | 'below'
}

/** Null without a value. A value at a threshold has reached it. */
export function kriStatus({ amber, red, direction }: Thresholds, value: number | null): KriStatus | null {
  if (value === null) return null
  const reaches = (threshold: number): boolean => (direction === 'above' ? value >= threshold : value <= threshold)
  if (reaches(red)) return 'red'
  return reaches(amber) ? 'amber' : 'green'
}

/** Whether amber comes before red in the direction of the indicator. */
export const areOrdered = ({ amber, red, direction }: Thresholds): boolean =>
  direction === 'above' ? amber <= red : amber >= red

/** Whether a status is worse than the one before; no status counts as green. */
export const isWorse = (status: KriStatus | null, before: KriStatus | null): boolean =>
  kriStatuses.indexOf(status ?? 'green') > kriStatuses.indexOf(before ?? 'green')
