/**
 * Disguises the English texts of an examination, each in four ways, and writes the copies as rows for `detect-eval`:
 * `tsx scripts/encode-exam.ts [--folder <folder of direct.jsonl and benign.jsonl>] > rows.jsonl`. The source of a row is the
 * way it is disguised.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { encoders } from '../train/rows/encode.ts'
import { createRandom } from '../train/rows/random.ts'

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', default: fileURLToPath(new URL('../eval/exam', import.meta.url)) },
    all: { type: 'boolean', default: false },
  },
})
const copies = 4
/** Questions that people ask around a pasted text; different from those of training. */
const around = ['{text}', '{text}', '{text}', 'Got this, what is it? {text}', '{text}\n\n(decode first, then answer)']

const random = createRandom(20261123)
const names = Object.keys(encoders)

function* copiesOf(file: string): Generator<object> {
  for (const line of readFileSync(join(options.folder, file), 'utf8').trim().split('\n')) {
    const row = JSON.parse(line) as { text: string; kind: string; lang: string; label: 0 | 1 }
    if (row.lang !== 'en' || row.kind === 'obfuscation') continue
    for (const name of options.all ? names : random.sample(names, copies)) {
      const text = encoders[name]?.(row.text, random) ?? row.text
      yield {
        ...row,
        text: random.pick(around).replace('{text}', () => text),
        kind: row.label === 1 ? 'obfuscated' : 'obfuscated-benign',
        source: name,
        enc: name,
      }
    }
  }
}

for (const file of ['direct.jsonl', 'benign.jsonl'])
  for (const row of copiesOf(file)) process.stdout.write(`${JSON.stringify(row)}\n`)
