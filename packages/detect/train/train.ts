/**
 * Trains the injection model: `npm run train -w packages/detect -- --data <folder>`. Deterministic: the same data and
 * code give the same bytes. Writes the model as source and a report; prints where time went.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readModel, writeModel } from '../src/injection/model/asset.ts'
import { audienceOf, scoreOf } from '../src/injection/model/calibration.ts'
import type { LinearHeads } from '../src/injection/model/weights.ts'
import { allRules } from '../src/injection/rules/packs.ts'
import { createScanner } from '../src/injection/scanner.ts'
import { calibrate } from './calibrate.ts'
import { buildCorpus } from './corpus.ts'
import { readRows } from './data.ts'
import type { FoldAnswer } from './fold-worker.ts'
import { foldCount } from './folds.ts'
import { channelOf } from './prepare.ts'
import { type Judgment, reportOf } from './report.ts'
import { runFolds } from './run-folds.ts'
import { type Evidence, logitOf, trainCombiner } from './stack.ts'

const modelVersion = '2026.11.3'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string', default: 'src/injection/model' },
    skip: { type: 'string', default: '' },
  },
})

/** Trains in two processes: folds are independent, and the model on everything is one more. */
async function main(folder: string): Promise<void> {
  const skip = options.skip.split(',').filter((name) => name !== '')
  const corpus = buildCorpus(folder, { skip })
  const evidence: (Evidence | undefined)[] = []
  let heads: LinearHeads | undefined
  const take = (answer: FoldAnswer): void => {
    if (answer.kind === 'heads') heads = answer.heads
    else {
      const row = corpus.rows[answer.row]
      if (row !== undefined) evidence[answer.row] = { row, readings: answer.readings }
    }
  }
  const folds = Array.from({ length: foldCount }, (_, fold) => fold)
  await Promise.all([
    runFolds({ folder, skip, digest: corpus.digest, folds: folds.slice(0, 3) }, take),
    runFolds({ folder, skip, digest: corpus.digest, folds: [...folds.slice(3), -1] }, take),
  ])
  if (heads === undefined) throw new Error('no model was trained')
  const complete = evidence.flatMap((item) => (item === undefined ? [] : [item]))
  const trees = trainCombiner(complete)
  const scored = complete.map((item) => ({ row: item.row, logit: logitOf(item, trees) }))
  const calibration = calibrate(scored)
  const model = { version: modelVersion, heads, trees, calibration, trainedOn: corpus.digest }
  const bytes = writeModel(model)
  const left: Judgment[] = scored.map(({ row, logit }) => ({
    row,
    score: scoreOf(calibration, audienceOf(channelOf(row)), { logit, characters: row.text.length }),
  }))
  const scanner = createScanner(readModel(bytes), allRules)
  const dev = readRows(folder, 'injection-dev.jsonl').map((row): Judgment => {
    const { score } = scanner.scan(row.text, { channel: channelOf(row) })
    return { row, score }
  })
  write(bytes, [
    reportOf('Sources left out of the training of the model that scored them', left),
    reportOf('Development file: the same sources, so these figures flatter', dev),
  ])
}

function write(bytes: Uint8Array, reports: readonly string[]): void {
  mkdirSync(options.out, { recursive: true })
  const source = `/** The trained model (see train/), base64. Made by \`npm run train\`; do not edit. */
export const modelData: string =
  '${Buffer.from(bytes).toString('base64')}'
`
  writeFileSync(`${options.out}/model-data.ts`, source)
  const size = `${(bytes.length / 1e6).toFixed(2)} MB`
  writeFileSync(
    `${options.out}/REPORT.md`,
    [`# Injection model ${modelVersion}`, '', `Size: ${size}.`, '', ...reports].join('\n'),
  )
  process.stderr.write(`wrote ${options.out}/model-data.ts (${size}) and REPORT.md\n`)
}

if (options.data === undefined) {
  process.stderr.write('usage: npm run train -w packages/detect -- --data <folder> [--out <folder>]\n')
  process.exitCode = 2
} else await main(options.data)
