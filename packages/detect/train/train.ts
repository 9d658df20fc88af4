/**
 * Trains the injection model: `npm run train -w packages/detect -- --data <folder>`. Deterministic: the same data and
 * code give the same bytes. Writes the model as source and a report; prints where time went.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readModel, writeModel } from '../src/injection/model/asset.ts'
import { audienceOf, scoreOf } from '../src/injection/model/calibration.ts'
import type { Trees } from '../src/injection/model/trees.ts'
import type { LinearHeads } from '../src/injection/model/weights.ts'
import { allRules } from '../src/injection/packs/packs.ts'
import { createScanner } from '../src/injection/scanner.ts'
import { textViews } from '../src/text/views.ts'
import { calibrate, type Scored } from './calibrate.ts'
import { buildCorpus } from './corpus.ts'
import { readRows } from './data.ts'
import type { FoldAnswer } from './fold-worker.ts'
import { foldCount } from './folds.ts'
import { channelOf } from './prepare.ts'
import { calibrationTexts } from './published-texts.ts'
import { createReader } from './read-fold.ts'
import { type Judgment, reportOf } from './report.ts'
import { runFolds } from './run-folds.ts'
import { type Evidence, logitOf, trainCombiner } from './stack.ts'

const modelVersion = '2026.11.8'

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
  const scored = complete.map(
    (item): Scored => ({ row: item.row, channel: channelOf(item.row), logit: logitOf(item, trees) }),
  )
  const unseen = scoreUnseen(heads, trees)
  const calibration = calibrate(scored, unseen)
  const model = { version: modelVersion, heads, trees, calibration, trainedOn: corpus.digest }
  const bytes = writeModel(model)
  const judge = ({ row, channel, logit }: Scored): Judgment => ({
    row,
    score: scoreOf(calibration, audienceOf(channel), { logit, characters: row.text.length }),
  })
  const scanner = createScanner(readModel(bytes), allRules)
  const dev = readRows(folder, 'injection-dev.jsonl').map((row): Judgment => {
    const { score } = scanner.scan(row.text, { channel: channelOf(row) })
    return { row, score }
  })
  write(bytes, [
    reportOf('Sources left out of the training of the model that scored them', scored.map(judge)),
    reportOf('Long harmless texts of packages that no head has learned from', unseen.map(judge)),
    reportOf('Development file: the same sources, so these figures flatter', dev),
  ])
}

/** Scores of the finished heads for texts that none of them has learned, as people paste and as tools fetch them. */
function scoreUnseen(heads: LinearHeads, trees: Trees): Scored[] {
  const read = createReader(heads)
  return calibrationTexts().flatMap((row) =>
    (['user', 'document'] as const).map(
      (channel): Scored => ({
        row,
        channel,
        logit: logitOf({ row, readings: read(textViews(row.text), channel) }, trees),
      }),
    ),
  )
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
