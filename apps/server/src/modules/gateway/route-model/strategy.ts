export const strategies = ['priority', 'weighted', 'least_latency', 'least_cost', 'least_busy', 'sticky'] as const
export type Strategy = (typeof strategies)[number]

/** A target as far as its order goes. */
export interface Candidate {
  /** Provider and model. */
  readonly key: string
  /** 0 is asked only when nothing else is left. */
  readonly weight: number
  readonly priority: number
}
