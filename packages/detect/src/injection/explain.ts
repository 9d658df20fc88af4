/**
 * Explains the score of a text: the contribution of each rule and each kind of evidence, and the words that weighed
 * most. Promises that the contributions of the evidence and the base add up to the logit; it explains the model, not
 * the author. Tested in explain.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import { evidenceNames } from './model/evidence.ts'
import { createFeatureBuffer, extractFeatures } from './model/features.ts'
import { contributionsOf, type Trees } from './model/trees.ts'
import { headCount, type LinearHeads } from './model/weights.ts'
import type { Reading } from './readings.ts'
import type { ScanDetails, ScanResult } from './scanner.ts'

export interface Contribution {
  readonly name: string
  /** Value of the evidence, as the combiner saw it. */
  readonly value: number
  /** Share of the logit; positive speaks for an attack. */
  readonly logit: number
}

export interface Explanation {
  readonly score: number
  readonly verdict: ScanResult['verdict']
  readonly families: readonly string[]
  /** How the text that decided was reached: empty for the text as written. */
  readonly via: readonly string[]
  readonly logit: number
  /** Logit before any evidence. */
  readonly base: number
  /** Largest first, by size. */
  readonly evidence: readonly Contribution[]
  readonly rules: readonly Finding[]
  /** Words of the best window and their additions to its raw `attack` logit, largest first. */
  readonly words: readonly { readonly word: string; readonly logit: number }[]
  readonly pack: string
}

const shownEvidence = 12
const shownWords = 16
const shownRules = 24

/** Puts the details of a scan into words and numbers. */
export function explanationOf(
  { result, worst, logit }: ScanDetails,
  { heads, trees }: { readonly heads: LinearHeads; readonly trees: Trees },
): Explanation {
  const { base, shares } =
    worst === undefined ? { base: trees.base, shares: [] } : contributionsOf(trees, worst.evidence)
  const evidence = shares
    .map((share, i) => ({
      name: evidenceNames[i] ?? '',
      value: rounded(worst?.evidence[i] ?? 0),
      logit: rounded(share),
    }))
    .filter((item) => item.logit !== 0)
    .sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
  return {
    score: result.score,
    verdict: result.verdict,
    families: result.families,
    via: worst?.view.via ?? [],
    logit: rounded(logit),
    base: rounded(base),
    evidence: evidence.slice(0, shownEvidence),
    rules: result.findings.filter(({ rule }) => rule !== 'model').slice(0, shownRules),
    words: worst === undefined ? [] : heaviestWords(worst, heads),
    pack: result.pack,
  }
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

const isWordMark = (char: string): boolean => /[\p{L}\p{N}]/u.test(char)

/** A word's weight is that of all features that end in it: itself, with the words before it, and its letters. */
function heaviestWords({ view, scores }: Reading, { values, scales }: LinearHeads) {
  const { start, end } = scores.best[1] ?? { start: 0, end: 0 }
  const text = view.text.slice(start, end)
  const weights = new Float64Array(text.length + 1)
  const features = createFeatureBuffer(text.length)
  const count = extractFeatures(text, features)
  for (let position = 0, i = 0; position < text.length; position += 1)
    for (const until = features.until[position + 1] ?? 0; i < until; i += 1)
      weights[position] = (weights[position] ?? 0) + (values[(features.buckets[i] ?? 0) * headCount] ?? 0)
  const scale = (scales[0] ?? 0) / Math.sqrt(Math.max(1, count))
  const words = new Map<string, number>()
  for (let from = 0; from < text.length; ) {
    let to = from
    let sum = 0
    while (to < text.length && isWordMark(text.charAt(to)) === isWordMark(text.charAt(from))) sum += weights[to++] ?? 0
    const word = text.slice(from, to).trim()
    if (word !== '') words.set(word, (words.get(word) ?? 0) + sum * scale)
    from = to
  }
  return [...words]
    .map(([word, logit]) => ({ word: word.slice(0, 40).toWellFormed(), logit: rounded(logit) }))
    .sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
    .slice(0, shownWords)
}
