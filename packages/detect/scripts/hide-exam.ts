/**
 * Hides the English attacks of the examination in documents of 2 to 100 kB and writes them with as many harmless documents
 * as rows for `detect-eval`: `tsx scripts/hide-exam.ts --packages <folder of .deb and .tgz> > rows.jsonl`. The packages
 * must be others than those that train/texts/mined.jsonl names.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { hide } from '../train/augment.ts'
import { createRandom, type Random } from '../train/random.ts'
import { packageTexts } from './package-texts.ts'

const { values: options } = parseArgs({ options: { packages: { type: 'string' } } })
const copies = 4
const harmless = 1_000

const exam = fileURLToPath(new URL('../eval/exam/direct.jsonl', import.meta.url))
const attacks = readFileSync(exam, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { text: string; kind: string; lang: string })
  .filter(({ lang, kind }) => lang === 'en' && kind !== 'obfuscation')

/** A document of 2 to 100 kB, every order of size alike: texts of one package from a random line on. */
function documentOf(texts: readonly string[], random: Random): string {
  const size = Math.round(2_000 * 50 ** random.next())
  let text = random.pick(texts)
  for (let more = 0; text.length < size && more < 400; more += 1) text += `\n\n${random.pick(texts)}`
  const start = text.indexOf('\n', random.below(Math.max(1, text.length - size))) + 1
  return text.slice(start, start + size)
}

function* rows(folder: string): Generator<object> {
  const random = createRandom(20261122)
  const packages = [...packageTexts(folder)].filter(({ texts }) => texts.some((text) => text.length > 1_500))
  const document = (): { text: string; source: string } => {
    const { from, texts } = random.pick(packages)
    return { text: documentOf(texts, random), source: from }
  }
  for (let i = 0; i < harmless; i += 1) yield { ...document(), label: 0, kind: 'long-document', lang: 'en' }
  for (const { text, kind } of attacks)
    for (let copy = 0; copy < copies; copy += 1)
      yield { text: hide(text, document().text, random).text, label: 1, kind: 'indirect', source: kind, lang: 'en' }
}

if (options.packages === undefined) {
  process.stderr.write('usage: tsx scripts/hide-exam.ts --packages <folder>\n')
  process.exitCode = 2
} else for (const row of rows(options.packages)) process.stdout.write(`${JSON.stringify(row)}\n`)
