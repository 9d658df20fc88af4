/** Noisy-or of detector scores (each 0..1) on a scale of 0..100: `100·(1 − Π(1 − sᵢ))`. */
export function combinedScore(scores: readonly number[]): number {
  let kept = 1
  for (const score of scores) {
    if (!(score >= 0 && score <= 1)) throw new RangeError(`Detector score must be 0..1, got ${score}`)
    kept *= 1 - score
  }
  return 100 * (1 - kept)
}

/**
 * Score (0..1) of a first use, for example of a tool or a destination: the capability of what is new, less with the age
 * of the agent, `capability/(1 + age)`.
 *
 * @param ageDays age of the agent in days
 * @param capability 0..1; 1 for the most powerful tools
 */
export function noveltyScore(ageDays: number, capability: number): number {
  if (!(ageDays >= 0)) throw new RangeError(`Age must be 0 days or more, got ${ageDays}`)
  if (!(capability >= 0 && capability <= 1)) throw new RangeError(`Capability must be 0..1, got ${capability}`)
  return capability / (1 + ageDays)
}
