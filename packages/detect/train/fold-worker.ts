/** Trains heads without some folds and reads those folds with them; runs in a process of its own. */

import type { LinearHeads } from '../src/injection/model/weights.ts'
import { buildCorpus } from './corpus.ts'
import { foldOf } from './folds.ts'
import { trainLinear } from './linear.ts'
import { prepare } from './prepare.ts'
import { type RowEvidence, readFold } from './read-fold.ts'

export interface FoldTask {
  readonly folder: string
  readonly skip: readonly string[]
  /** Expected rows: both processes read and generate them on their own. */
  readonly digest: string
  /** Folds to leave out one after the other; -1 trains on everything and reads nothing. */
  readonly folds: readonly number[]
}

export type FoldAnswer =
  | ({ readonly kind: 'evidence' } & RowEvidence)
  | { readonly kind: 'heads'; readonly heads: LinearHeads }

process.once('message', (task) => {
  const answers = work(task as FoldTask)
  process.send?.(answers, undefined, undefined, () => process.disconnect())
})

function work({ folder, skip, digest, folds }: FoldTask): FoldAnswer[] {
  const started = Date.now()
  const log = (what: string): void => {
    process.stderr.write(`${((Date.now() - started) / 1000).toFixed(1)} s: ${what}\n`)
  }
  const corpus = buildCorpus(folder, { skip })
  if (corpus.digest !== digest) throw new Error('the rows changed while they were read')
  const prepared = corpus.rows.map(prepare)
  log(`read ${prepared.length} rows`)
  return folds.flatMap((fold): FoldAnswer[] => {
    const inside = prepared.filter(({ row }) => fold < 0 || foldOf(row) !== fold)
    const heads = trainLinear(inside.map(({ example }) => example))
    log(fold < 0 ? 'trained on all' : `trained without fold ${fold}`)
    return fold < 0
      ? [{ kind: 'heads', heads }]
      : readFold(prepared, fold, heads).map((evidence) => ({ kind: 'evidence', ...evidence }))
  })
}
