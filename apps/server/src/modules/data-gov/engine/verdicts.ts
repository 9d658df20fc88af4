/**
 * Judgment of what a column or a document holds, from the hits of a sample: `is` where the Wilson 95 % lower bound of the
 * share of rows is 0.70 or more, `contains` where chance alone would not give so many hits (one-sided binomial test against
 * the rate of false findings, p < 0.01) or where one value passes its check digits, else `none_seen`. Tested in
 * sampling.test.ts.
 */
import { betaRegularized, wilsonInterval } from '@parapet/quant'
import { categoryOf } from '../taxonomy/taxonomy.ts'

/** Rows of harmless text in which a detector without check digits finds something, at most. */
export const falseFindings = 0.005
const isShare = 0.7
const significance = 0.01

export interface Hits {
  readonly category: string
  /** Rows with a finding. */
  readonly hits: number
  /** Of these, rows with a value whose check digits are right. */
  readonly checked: number
}

export interface Judged {
  readonly category: string
  readonly verdict: 'is' | 'contains' | 'none_seen'
  readonly hits: number
  readonly n: number
  readonly wilson: readonly [low: number, high: number]
  /** 0 to 1. */
  readonly confidence: number
}

/** @param name of the column, which may point to the category */
export function judge({ category, hits, checked }: Hits, n: number, name: string | null): Judged {
  const { low, high } = n === 0 ? { low: 0, high: 1 } : wilsonInterval(hits, n)
  const base = { category, hits, n, wilson: [low, high] as const }
  const p = chanceOf(hits, n)
  const named = name !== null && pointsTo(name, category)
  const sure = checked > 0 ? 0.99 : Math.max(0, 1 - p * (named ? 1 : 10))
  if (low >= isShare) return { ...base, verdict: 'is', confidence: sure }
  if (checked > 0 || (hits > 0 && p < significance)) return { ...base, verdict: 'contains', confidence: sure }
  // A single finding in a column that is called so is more than chance.
  if (hits > 0 && named) return { ...base, verdict: 'contains', confidence: 0.9 }
  return { ...base, verdict: 'none_seen', confidence: 0 }
}

/** Probability of so many hits or more where nothing is there: P(X ≥ k) = I_q(k, n − k + 1). */
export function chanceOf(hits: number, n: number): number {
  return hits === 0 || n === 0 ? 1 : betaRegularized(hits, n - hits + 1, falseFindings)
}

/** A word of the column's name is one of the category. */
function pointsTo(name: string, category: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return (categoryOf(category)?.names ?? []).some((word) => words.includes(word))
}
