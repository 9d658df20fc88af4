/**
 * Hides the English attacks of an examination in documents of 2 to 100 kB and writes them with 1,000 harmless documents as
 * rows for `detect-eval`: `tsx scripts/hide-exam.ts --packages <folder of .deb and .tgz> [--attacks <file>] > rows.jsonl`.
 * The packages must be others than those that the files of train/texts name.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { hide } from '../train/augment.ts'
import { createRandom } from '../train/rows/random.ts'
import { excerptOf, packageTexts } from './package-texts.ts'

const exam = fileURLToPath(new URL('../eval/exam/direct.jsonl', import.meta.url))
const { values: options } = parseArgs({
  options: { packages: { type: 'string' }, attacks: { type: 'string', default: exam } },
})
const copies = 4
const harmless = 1_000

const attacks = readFileSync(options.attacks, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { text: string; kind: string; lang: string })
  .filter(({ lang, kind }) => lang === 'en' && kind !== 'obfuscation')

const sizes = { shortest: 2_000, longest: 100_000 }

function* rows(folder: string): Generator<object> {
  const random = createRandom(20261122)
  const packages = [...packageTexts(folder)].filter(({ texts }) => texts.some((text) => text.length > 1_500))
  const document = (): { text: string; source: string } => {
    const { from, texts } = random.pick(packages)
    return { text: excerptOf(texts, sizes, random), source: from }
  }
  for (let i = 0; i < harmless; i += 1) yield { ...document(), label: 0, kind: 'long-document', lang: 'en' }
  for (const { text, kind } of attacks)
    for (let copy = 0; copy < copies; copy += 1)
      yield { text: hide(text, document().text, random).text, label: 1, kind: 'indirect', source: kind, lang: 'en' }
}

if (options.packages === undefined) {
  process.stderr.write('usage: tsx scripts/hide-exam.ts --packages <folder> [--attacks <file>]\n')
  process.exitCode = 2
} else for (const row of rows(options.packages)) process.stdout.write(`${JSON.stringify(row)}\n`)
