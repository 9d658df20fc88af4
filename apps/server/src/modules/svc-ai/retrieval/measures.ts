/**
 * Measures of a ranking against graded judgments, and the paired bootstrap that says whether one configuration is better
 * than another. Pure and deterministic. Tested in measures.test.ts.
 */

/** Gain of each relevant item by its name. */
export type Gains = ReadonlyMap<string, number>

/** nDCG with linear gains (Järvelin and Kekäläinen 2002, as trec_eval has it). 0 where nothing is relevant. */
export function ndcg(ranking: readonly string[], gains: Gains, k: number): number {
  const ideal = [...gains.values()].filter((gain) => gain > 0).sort((a, b) => b - a)
  const best = discounted(ideal.slice(0, k))
  return best === 0 ? 0 : discounted(ranking.slice(0, k).map((name) => gains.get(name) ?? 0)) / best
}

const discounted = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)

/** Share of the relevant items among the first k. 0 where nothing is relevant. */
export function recall(ranking: readonly string[], gains: Gains, k: number): number {
  const relevant = [...gains].filter(([, gain]) => gain > 0).map(([name]) => name)
  const found = new Set(ranking.slice(0, k))
  return relevant.length === 0 ? 0 : relevant.filter((name) => found.has(name)).length / relevant.length
}

/** 1 over the rank of the first relevant item among the first k; 0 without one. */
export function reciprocalRank(ranking: readonly string[], gains: Gains, k: number): number {
  const first = ranking.slice(0, k).findIndex((name) => (gains.get(name) ?? 0) > 0)
  return first < 0 ? 0 : 1 / (first + 1)
}

/** Mean of the precision at the place of each relevant item among the first k (average precision at k); 0 without one. */
export function contextPrecision(ranking: readonly string[], gains: Gains, k: number): number {
  const precisions: number[] = []
  for (const [at, name] of ranking.slice(0, k).entries())
    if ((gains.get(name) ?? 0) > 0) precisions.push((precisions.length + 1) / (at + 1))
  return precisions.length === 0 ? 0 : precisions.reduce((sum, value) => sum + value, 0) / precisions.length
}

/** Share of the items that meet a condition; 0 of none. */
export const shareOf = <T>(items: readonly T[], meets: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(meets).length / items.length

export interface Difference {
  /** Mean of candidate minus baseline. */
  readonly mean: number
  /** 95 % percentile interval. */
  readonly low: number
  readonly high: number
}

const resamples = 10_000

/** Paired bootstrap over questions (Sakai 2006): 10,000 resamples under a fixed seed. The lists have one length. */
export function pairedBootstrap(baseline: readonly number[], candidate: readonly number[]): Difference {
  const differences = candidate.map((value, index) => value - (baseline[index] ?? 0))
  const n = differences.length
  if (n === 0) return { mean: 0, low: 0, high: 0 }
  const next = generator(20_240_229)
  const means = new Float64Array(resamples)
  for (let round = 0; round < resamples; round += 1) {
    let sum = 0
    for (let draw = 0; draw < n; draw += 1) sum += differences[Math.floor(next() * n)] ?? 0
    means[round] = sum / n
  }
  means.sort()
  return {
    mean: differences.reduce((sum, value) => sum + value, 0) / n,
    low: means[Math.floor(0.025 * resamples)] ?? 0,
    high: means[Math.ceil(0.975 * resamples) - 1] ?? 0,
  }
}

/** Mulberry32: the same numbers everywhere. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The value below which a share of the values lies; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
