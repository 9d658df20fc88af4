import type { Channel } from '../src/base/finding.ts'
import { createScratch } from '../src/injection/model/prefix-sums.ts'
import { type LinearHeads, scoringHeads } from '../src/injection/model/weights.ts'
import { allRules } from '../src/injection/packs/packs.ts'
import { readViews } from '../src/injection/readings.ts'
import { createRuleEngine } from '../src/injection/rules/engine.ts'
import type { Views } from '../src/text/views.ts'
import { foldOf } from './folds.ts'
import { channelOf, type Prepared } from './prepare.ts'

export interface RowEvidence {
  /** Index of the row. */
  readonly row: number
  /** One per view. */
  readonly readings: readonly Float64Array[]
}

/** Reads views of texts with some heads: one vector of evidence per view. */
export function createReader(heads: LinearHeads): (views: Views, channel: Channel) => readonly Float64Array[] {
  const parts = { rules: createRuleEngine(allRules), scratch: createScratch(), heads: scoringHeads(heads) }
  return (views, channel) => readViews(views, parts, channel).readings.map(({ evidence }) => evidence)
}

/** Evidence on the rows of a fold by heads that have not seen it. */
export function readFold(prepared: readonly Prepared[], fold: number, heads: LinearHeads): RowEvidence[] {
  const read = createReader(heads)
  return prepared.flatMap((item, row): RowEvidence[] =>
    foldOf(item.row) === fold ? [{ row, readings: read(item.views, channelOf(item.row)) }] : [],
  )
}
