/**
 * Whether the data and the generators still give the rows that the shipped model was trained on:
 * `tsx train/check-rows.ts --data <folder>`. Tells a changed generator from a model that was trained with it; that the
 * same rows give the same bytes is proven by training whole (`.ci/retrain.mjs`), which takes minutes.
 */
import { parseArgs } from 'node:util'
import { readShippedModel } from '../src/injection/model/shipped.ts'
import { buildCorpus } from './corpus.ts'

const { values: options } = parseArgs({ options: { data: { type: 'string' } } })

if (options.data === undefined) {
  process.stderr.write('usage: tsx train/check-rows.ts --data <folder>\n')
  process.exitCode = 2
} else {
  const { digest, rows } = buildCorpus(options.data, { skip: [] })
  const same = digest === readShippedModel().trainedOn
  process.stdout.write(`${rows.length} rows, ${same ? 'those' : 'not those'} that the model was trained on\n`)
  if (!same) process.exitCode = 1
}
