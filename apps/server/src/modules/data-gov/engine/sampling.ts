/**
 * Samples with a stated risk of missing something. A sample of n rows misses a value of prevalence p with probability
 * (1 − p)^n, so n = ⌈ln(1 − C) / ln(1 − p)⌉ finds it with confidence C, and a sample without any hit says that the
 * prevalence is below 1 − (1 − C)^(1/n) with confidence C. Tested in sampling.test.ts.
 */
export interface SamplePlan {
  /** Share of rows that is to be found, 0 to 1. */
  readonly targetPrevalence: number
  /** 0 to 1. */
  readonly confidence: number
}

export const defaultPlan: SamplePlan = { targetPrevalence: 0.01, confidence: 0.95 }

/** Rows that a sample needs. */
export function sampleSize({ targetPrevalence, confidence }: SamplePlan): number {
  return Math.ceil(Math.log(1 - confidence) / Math.log(1 - targetPrevalence))
}

/** The highest prevalence that a sample without a hit leaves open; 0 where all rows were read. */
export function undetectedPrevalence({ n, population, confidence }: Blindness): number {
  if (n >= population) return 0
  return n === 0 ? 1 : 1 - (1 - confidence) ** (1 / n)
}

interface Blindness {
  readonly n: number
  readonly population: number
  readonly confidence: number
}

/**
 * Places 0..population−1 of a sample without replacement, in order; the same seed gives the same places (selection by
 * Knuth's algorithm S, uniform numbers by mulberry32).
 */
export function samplePlaces(population: number, n: number, seed: number): readonly number[] {
  if (n >= population) return Array.from({ length: population }, (_, at) => at)
  const uniform = mulberry32(seed)
  const places: number[] = []
  for (let at = 0; at < population && places.length < n; at += 1)
    if ((population - at) * uniform() < n - places.length) places.push(at)
  return places
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
