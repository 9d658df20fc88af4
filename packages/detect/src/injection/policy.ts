export interface Thresholds {
  /** Score from which a text is flagged. */
  readonly flag: number
  /** Score from which it is blocked; above 1 for never. */
  readonly block: number
}

export type Verdict = 'allow' | 'flag' | 'block'

/** The verdict for a score by the thresholds. */
export const verdictOf = (score: number, { flag, block }: Thresholds): Verdict =>
  score >= block ? 'block' : score >= flag ? 'flag' : 'allow'

/**
 * Named thresholds. Scores are false-positive rates (see model/calibration.ts): 0.4 is 3 %, 0.5 is 1 %, 0.7 is 0.5 % and
 * 0.9 is 0.1 % of harmless text.
 */
export const policies = {
  /** Only watches: for the first weeks. */
  monitor: { flag: 0.5, block: 2 },
  /** Chat. */
  balanced: { flag: 0.5, block: 0.9 },
  /** Agents whose tools can write. */
  strict: { flag: 0.4, block: 0.5 },
  /** Tool results and retrieved documents, where a sentence can be taken out instead of refusing the call. */
  'untrusted-content': { flag: 0.5, block: 0.7 },
} as const satisfies Record<string, Thresholds>

export type PolicyName = keyof typeof policies
