import { createScratch } from '../src/injection/model/prefix-sums.ts'
import { type LinearHeads, scoringHeads } from '../src/injection/model/weights.ts'
import { readViews } from '../src/injection/readings.ts'
import { createRuleEngine } from '../src/injection/rules/engine.ts'
import { allRules } from '../src/injection/rules/packs.ts'
import { foldOf } from './folds.ts'
import { channelOf, type Prepared } from './prepare.ts'

export interface RowEvidence {
  /** Index of the row. */
  readonly row: number
  /** One per view. */
  readonly readings: readonly Float64Array[]
}

/** What heads that have not seen a fold find in its rows. */
export function readFold(prepared: readonly Prepared[], fold: number, heads: LinearHeads): RowEvidence[] {
  const parts = { rules: createRuleEngine(allRules), scratch: createScratch(), heads: scoringHeads(heads) }
  return prepared.flatMap((item, row): RowEvidence[] => {
    if (foldOf(item.row) !== fold) return []
    const { readings } = readViews(item.views, parts, channelOf(item.row))
    return [{ row, readings: readings.map(({ evidence }) => evidence) }]
  })
}
