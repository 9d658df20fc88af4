/**
 * Measures what each part of the training data buys: trains without it and scores the given texts of two folds that the
 * models have not seen. `npm run ablate -w packages/detect -- --data <folder>`; writes train/ABLATION.md. Two to three
 * minutes a part on two cores.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { areaUnderCurve, recallAtRate } from '../eval/metrics.ts'
import { buildCorpus } from './corpus.ts'
import type { FoldAnswer } from './fold-worker.ts'
import type { Row } from './row.ts'
import { runFolds } from './run-folds.ts'
import { type Evidence, logitOf, trainCombiner } from './stack.ts'

const parts: readonly (readonly [name: string, skip: readonly string[]])[] = [
  ['nothing', []],
  [
    'overrides in other words',
    ['attack-canonical', 'attack-override', 'attack-guarded', 'attack-passphrase', 'opened'],
  ],
  ['questions for the system prompt', ['attack-leak', 'attack-exfiltration']],
  ['personas', ['attack-persona', 'attack-persona-long']],
  ['soft and polite attacks', ['attack-soft', 'attack-soft-languages']],
  ['orders in documents', ['attack-indirect', 'attack-planted-task', 'hidden']],
  ['attacks in other languages', ['languages', 'attack-soft-languages']],
  ['fake templates', ['attack-template']],
  ['encoded copies', ['encoded', 'benign-encoded']],
  ['the same words with harmless intent', ['counterfactual', 'benign-triggers', 'benign-soft-languages']],
  ['ordinary requests', ['benign-chat', 'benign-instruct', 'benign-short', 'benign-system', 'benign-elaborate']],
  ['harmless roles', ['benign-roleplay', 'benign-persona-long']],
  ['harmless prose and sayings', ['benign-prose', 'benign-sayings', 'benign-languages']],
  ['harmless documents and code', ['benign-documents', 'benign-code', 'long']],
  ['published texts', ['published']],
]

/** The largest source of attacks, and the forum jailbreaks with the harmless role-play beside them. */
const folds = [0, 1] as const

const { values: options } = parseArgs({ options: { data: { type: 'string' } } })

async function linesFor(folder: string, name: string, skip: readonly string[]): Promise<string> {
  const corpus = buildCorpus(folder, { skip })
  const evidence: Evidence[] = []
  const take = (answer: FoldAnswer): void => {
    const row = answer.kind === 'evidence' ? corpus.rows[answer.row] : undefined
    if (answer.kind === 'evidence' && row !== undefined) evidence.push({ row, readings: answer.readings })
  }
  await Promise.all(folds.map((fold) => runFolds({ folder, skip, digest: corpus.digest, folds: [fold] }, take)))
  const trees = trainCombiner(evidence)
  const given = evidence.filter(({ row }) => !row.source.startsWith('gen-'))
  const logits = (wanted: (row: Row) => boolean): number[] =>
    given.filter(({ row }) => wanted(row)).map((item) => logitOf(item, trees))
  const harmless = logits(({ label }) => label === 0)
  const cells = groups.flatMap(([, isIn]) => {
    const attacks = logits((row) => row.label === 1 && isIn(row))
    return [
      areaUnderCurve(attacks, harmless).toFixed(3),
      `${(100 * recallAtRate(attacks, harmless, 0.01)).toFixed(1)} %`,
    ]
  })
  return `| ${name} | ${cells.join(' | ')} |`
}

const groups: readonly (readonly [name: string, isIn: (row: Row) => boolean])[] = [
  ['English', ({ source, lang, kind }) => source === 'synthetic-injection' && lang === 'en' && kind !== 'obfuscated'],
  ['other languages', ({ source, lang }) => source === 'synthetic-injection' && lang !== 'en'],
  ['encoded', ({ source, kind }) => source === 'synthetic-injection' && kind === 'obfuscated'],
  ['forum jailbreaks', ({ source }) => source !== 'synthetic-injection'],
]

async function main(folder: string): Promise<void> {
  const lines = [
    '# What each part of the training data buys',
    '',
    'Trained without the part; given texts of sources that the model has not seen; area under the curve and recall at 1 %',
    'false positives among the harmless texts of the same sources.',
    '',
    `| without | ${groups.map(([name]) => `${name}: AUC | recall`).join(' | ')} |`,
    `|---|${'---|---|'.repeat(groups.length)}`,
  ]
  for (const [name, skip] of parts) {
    lines.push(await linesFor(folder, name, skip))
    process.stderr.write(`${lines[lines.length - 1]}\n`)
  }
  writeFileSync(new URL('./ABLATION.md', import.meta.url), `${lines.join('\n')}\n`)
}

if (options.data === undefined) {
  process.stderr.write('usage: npm run ablate -w packages/detect -- --data <folder>\n')
  process.exitCode = 2
} else await main(options.data)
