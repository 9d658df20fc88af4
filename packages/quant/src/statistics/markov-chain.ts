/** Serialized {@link MarkovChain}: plain JSON. Null stands for the start (as `from`) or the end (as `to`). */
export interface MarkovChainState {
  readonly transitions: readonly (readonly [from: string | null, to: string | null, count: number])[]
}

/** First-order Markov chain over names, with start and end states. */
export interface MarkovChain {
  /** Learns one complete sequence. */
  readonly learn: (sequence: readonly string[]) => void
  /** Probability of a transition; null stands for the start or the end. */
  readonly probability: (from: string | null, to: string | null) => number
  /** Surprise of each transition, start and end included: −log₂ of its probability, in bits. */
  readonly surprise: (sequence: readonly string[]) => readonly number[]
  readonly state: () => MarkovChainState
}

export interface MarkovChainOptions {
  /** Pseudo-count of every possible transition (Laplace smoothing). */
  readonly alpha?: number
}

/**
 * Creates a chain, empty or from its serialized state. The possible successors of a name are all known names, the end
 * and one class for every name not seen yet, so that a new name has a probability, too:
 * `p = (count + α)/(total + α·(known + 2))`.
 */
export function createMarkovChain(state?: MarkovChainState, { alpha = 0.5 }: MarkovChainOptions = {}): MarkovChain {
  if (!(alpha > 0)) throw new RangeError(`Pseudo-count must be above 0, got ${alpha}`)
  const rows = new Map<string | null, Map<string | null, number>>()
  const totals = new Map<string | null, number>()
  const names = new Set<string>()
  for (const [from, to, count] of state?.transitions ?? []) record(from, to, count)

  function record(from: string | null, to: string | null, count: number): void {
    if (!(count > 0 && Number.isFinite(count))) throw new RangeError(`Count must be above 0, got ${count}`)
    const row = rows.get(from) ?? new Map<string | null, number>()
    rows.set(from, row.set(to, (row.get(to) ?? 0) + count))
    totals.set(from, (totals.get(from) ?? 0) + count)
    for (const name of [from, to]) if (name !== null) names.add(name)
  }

  function probability(from: string | null, to: string | null): number {
    const count = rows.get(from)?.get(to) ?? 0
    return (count + alpha) / ((totals.get(from) ?? 0) + alpha * (names.size + 2))
  }

  return {
    learn: (sequence) => {
      for (const [from, to] of transitionsOf(sequence)) record(from, to, 1)
    },
    probability,
    surprise: (sequence) => transitionsOf(sequence).map(([from, to]) => -Math.log2(probability(from, to))),
    state: () => ({
      transitions: [...rows].flatMap(([from, row]) => [...row].map(([to, count]) => [from, to, count] as const)),
    }),
  }
}

function transitionsOf(sequence: readonly string[]): readonly (readonly [string | null, string | null])[] {
  if (sequence.length === 0) return []
  return [null, ...sequence].map((from, index) => [from, sequence[index] ?? null] as const)
}

/** Mean of every window of consecutive steps (bits per step); one mean over all steps where there are fewer. */
export function windowMeans(steps: readonly number[], window = 10): readonly number[] {
  if (!(Number.isInteger(window) && window > 0)) throw new RangeError(`Window must be 1 step or more, got ${window}`)
  if (steps.length === 0) return []
  const length = Math.min(window, steps.length)
  let sum = 0
  const means: number[] = []
  for (const [index, step] of steps.entries()) {
    sum += step - (index >= length ? (steps[index - length] ?? 0) : 0)
    if (index >= length - 1) means.push(sum / length)
  }
  return means
}

/** Lowest surprise that counts as rare, in bits per step. */
const rarityFloor = 4

/**
 * Whether a window is rare: above the 99.9th percentile of the own history, and never below 4 bits per step.
 *
 * @param percentile 99.9th percentile of earlier windows; NaN while there is none
 */
export function isRareSequence(bitsPerStep: number, percentile: number): boolean {
  return bitsPerStep > Math.max(rarityFloor, Number.isNaN(percentile) ? rarityFloor : percentile)
}
