import { combinedScore } from '@parapet/quant'

export const detectors = ['level', 'drift', 'tool_mix', 'novelty', 'sequence'] as const
export type Detector = (typeof detectors)[number]

/** `peers` while an agent has too little past of its own. */
export const baselineKinds = ['own', 'peers'] as const
export type Baseline = (typeof baselineKinds)[number]

export const severities = ['low', 'medium', 'high', 'critical'] as const
export type AnomalySeverity = (typeof severities)[number]

/** Finding of a detector, in the feature's unit. */
export interface Finding {
  readonly detector: Detector
  readonly feature: string
  readonly observed: number
  readonly expected: number
  readonly threshold: number
  /** 0..1 */
  readonly strength: number
  /** Hours that the finding is about, from the first to before the last. */
  readonly from: number
  readonly to: number
  /** With whose past the agent is compared. */
  readonly baseline: Baseline
}

/** Score 0..100 of findings together: noisy-or. */
export function scoreOf(findings: readonly Pick<Finding, 'strength'>[]): number {
  return Math.round(combinedScore(findings.map(({ strength }) => strength)) * 100) / 100
}

/** Weight of an agent's tier: score unchanged for tier 3, less below and more above. */
const tierFactor: Readonly<Record<number, number>> = { 1: 0.8, 2: 0.9, 3: 1, 4: 1.1 }

export function severityOf(score: number, tier: number): AnomalySeverity {
  const weighed = score * (tierFactor[tier] ?? 1)
  if (weighed >= 85) return 'critical'
  if (weighed >= 60) return 'high'
  return weighed >= 35 ? 'medium' : 'low'
}
