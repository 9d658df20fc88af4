import { evidenceDirections, evidenceNames, longPlace, longShare } from '../src/injection/model/evidence.ts'
import { sumTrees, type Trees } from '../src/injection/model/trees.ts'
import { type BoostingSettings, boostingSettings, trainTrees } from './boosting.ts'
import type { Row } from './rows/row.ts'

export interface Evidence {
  readonly row: Row
  /** One vector per reading of the text. */
  readonly readings: readonly Float64Array[]
}

/** How much less the trees count in a long text. Less doubt costs hidden attacks, more costs languages other than English. */
const doubtOfLong = 0.3

const attackWindow = evidenceNames.indexOf('attack, best 320 characters')
const rules = evidenceNames.indexOf('rules, together')

/**
 * Fits the combiner on evidence from models that had not seen the texts. Of an attack the reading counts that shows it
 * best; of a harmless text every reading, because none of them may raise an alarm. In a long text the worst place counts
 * beside the trees and they count less: they see few kinds of long documents and learn more about those than holds for
 * others.
 */
export function trainCombiner(evidence: readonly Evidence[], settings: BoostingSettings = boostingSettings): Trees {
  const rows: Float64Array[] = []
  const labels: number[] = []
  const weights: number[] = []
  const weightOf = sourceWeights(evidence)
  for (const { row, readings } of evidence) {
    const chosen = row.label === 1 ? [best(readings)] : readings
    for (const reading of chosen) {
      rows.push(reading)
      labels.push(row.label)
      weights.push(weightOf(row) / Math.sqrt(chosen.length))
    }
  }
  const trees = trainTrees({ rows, labels, weights, directions: evidenceDirections }, settings)
  return {
    ...trees,
    terms: [{ feature: evidenceNames.indexOf(longPlace), weight: 1 }],
    doubt: { feature: evidenceNames.indexOf(longShare), share: doubtOfLong },
  }
}

/** Logit of a text: of its worst reading. */
export function logitOf({ readings }: Evidence, trees: Trees): number {
  return readings.reduce((most, reading) => Math.max(most, sumTrees(trees, reading)), Number.NEGATIVE_INFINITY)
}

function best(readings: readonly Float64Array[]): Float64Array {
  const shows = (reading: Float64Array): number => (reading[attackWindow] ?? 0) + 2 * (reading[rules] ?? 0)
  return readings.reduce((most, reading) => (shows(reading) > shows(most) ? reading : most))
}

/** Real sources weigh more than generated ones, large ones less per row than small ones. */
function sourceWeights(evidence: readonly Evidence[]): (row: Row) => number {
  const counts = new Map<string, number>()
  const keyOf = ({ source, label }: Row): string => `${source} ${label}`
  for (const { row } of evidence) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1)
  return (row) => Math.min(1, Math.sqrt(1_500 / (counts.get(keyOf(row)) ?? 1)))
}
