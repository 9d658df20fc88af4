/**
 * Long harmless texts that no head is trained on, so that the rate of false alarms among documents is measured on texts
 * new to the model: `tsx scripts/calibration-texts.ts --packages <folder of .deb and .tgz>` writes
 * train/texts/calibration.jsonl. The packages must be others than those of the other files of that folder.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createRandom } from '../train/rows/random.ts'
import { excerptOf, packageTexts } from './package-texts.ts'

const { values: options } = parseArgs({ options: { packages: { type: 'string' } } })
const out = fileURLToPath(new URL('../train/texts/calibration.jsonl', import.meta.url))

/** Texts of a package at most, and least characters that a package must have. */
const most = 6
const least = 4_000

const sizes = { shortest: 800, longest: 24_000 }

function* rows(folder: string): Generator<object> {
  const random = createRandom(20261124)
  for (const { from, texts, code } of packageTexts(folder)) {
    for (const [kind, sources] of [
      ['long-document', texts.filter((text) => text.length > 500)],
      ['code', code.filter((text) => text.length > 500)],
    ] as const) {
      const length = sources.reduce((sum, text) => sum + text.length, 0)
      const count = length < least ? 0 : Math.min(most, Math.ceil(length / 8_000))
      for (let i = 0; i < count; i += 1) {
        const text = excerptOf(sources, sizes, random).toWellFormed()
        yield { text, kind, lang: 'en', from }
      }
    }
  }
}

if (options.packages === undefined) {
  process.stderr.write('usage: tsx scripts/calibration-texts.ts --packages <folder>\n')
  process.exitCode = 2
} else {
  const lines = [...rows(options.packages)].map((row) => JSON.stringify(row))
  writeFileSync(out, `${lines.join('\n')}\n`)
  process.stderr.write(`${lines.length} texts\n`)
}
