import type { Channel } from '../base/finding.ts'
import type { View, Views } from '../text/views.ts'
import { audienceOf } from './model/calibration.ts'
import { evidenceOf, type Hit, type ReadingFacts } from './model/evidence.ts'
import type { Scratch } from './model/prefix-sums.ts'
import { sumTrees, type Trees } from './model/trees.ts'
import type { ScoringHeads } from './model/weights.ts'
import { scoreText } from './model/windows.ts'
import type { RuleEngine, RuleHit } from './rules/engine.ts'
import { structureHits } from './rules/structure.ts'

/** One reading of a text with everything known about it. */
export interface Reading extends ReadingFacts {
  readonly view: View
  readonly evidence: Float64Array
}

export interface ReadingParts {
  readonly rules: RuleEngine
  readonly heads: ScoringHeads
  readonly scratch: Scratch
}

/** Looks at every view of a text with rules and linear heads. `complete` is false when a bound of the rules was reached. */
export function readViews(
  { views, signals }: Views,
  { rules, heads, scratch }: ReadingParts,
  channel: Channel,
): { readings: Reading[]; complete: boolean } {
  let complete = true
  const addressed = audienceOf(channel) === 'addressed'
  const readings = views.map((view): Reading => {
    const matched = rules.match(view.text, channel)
    complete &&= matched.complete
    const facts: ReadingFacts = {
      kind: view.kind,
      depth: view.via.length,
      characters: view.text.length,
      scores: scoreText(view.text, heads, scratch),
      hits: [...matched.hits.map(hitOf), ...structureHits(view.text).map((hit) => ({ ...hit, certain: false }))],
      addressed,
      disguises: signals,
    }
    return Object.assign(facts, { view, evidence: evidenceOf(facts) })
  })
  return { readings, complete }
}

const hitOf = ({ rule, start, end, weight }: RuleHit): Hit => ({
  id: rule.id,
  family: rule.family,
  certain: rule.certain === true,
  start,
  end,
  weight,
})

/** The reading that looks most like an attack, with its logit. */
export function worstReading(
  readings: readonly Reading[],
  trees: Trees,
): { reading: Reading; logit: number } | undefined {
  let worst: { reading: Reading; logit: number } | undefined
  for (const reading of readings) {
    const logit = sumTrees(trees, reading.evidence)
    if (worst === undefined || logit > worst.logit) worst = { reading, logit }
  }
  return worst
}
