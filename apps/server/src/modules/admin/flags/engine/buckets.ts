/**
 * Assigns contexts to rollouts and to variants of a split. Each mode is monotone: raising a percentage never removes
 * anyone. Tested in engine.test.ts and, against other implementations, in ../import/unleash.test.ts and
 * ../import/flagd.test.ts.
 */
import type { FlagDefinition } from '../schemas/flags.ts'
import { murmur3 } from './murmur.ts'

export type HashMode = FlagDefinition['hash_mode']

const twoTo32 = 2 ** 32
/** Steps of a rollout: 0.001 %. */
export const fineBuckets = 100_000
/** Unleash hashes variants with another seed than rollouts, so that the two are independent. */
const unleashVariantSeed = 86028157

export function inRollout(mode: HashMode, seed: string, value: string, percentage: number): boolean {
  if (percentage >= 100) return true
  if (percentage <= 0) return false
  if (mode === 'unleash') return (murmur3(`${seed}:${value}`) % 100) + 1 <= percentage
  const text = mode === 'flagd' ? `${seed}${value}` : `${seed}:${value}`
  return Math.floor((murmur3(text) * fineBuckets) / twoTo32) < Math.round((percentage * fineBuckets) / 100)
}

export interface Share {
  readonly variant: string
  readonly weight: number
}

/** Null when all weights are 0. */
export function pick(mode: HashMode, seed: string, value: string, shares: readonly Share[]): string | null {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return null
  const point = mode === 'unleash' ? unleashPoint(seed, value, total) : scaledPoint(mode, { seed, value, total })
  let sum = 0
  for (const { variant, weight } of shares) {
    sum += weight
    if (sum > point) return variant
  }
  return null
}

function unleashPoint(seed: string, value: string, total: number): number {
  return murmur3(`${seed}:${value}`, unleashVariantSeed) % total
}

/** flagd: (hash × total) >> 32 over the flag's key and the targeting key without anything between them. */
function scaledPoint(mode: HashMode, { seed, value, total }: { seed: string; value: string; total: number }): number {
  const hash = murmur3(mode === 'flagd' ? `${seed}${value}` : `${seed}:${value}`)
  return Number((BigInt(hash) * BigInt(total)) >> 32n)
}
