import { createHash } from 'node:crypto'
import { encodedRows, hiddenRows, longRows, openedRows } from './augment.ts'
import { readRows } from './data.ts'
import { generators } from './generators/all.ts'
import { publishedTexts, writtenTexts } from './published-texts.ts'
import type { Row } from './rows/row.ts'

export interface Corpus {
  readonly rows: readonly Row[]
  /** SHA-256 over all rows in order. */
  readonly digest: string
}

const variants = ['published', 'written', 'opened', 'encoded', 'hidden', 'long']

/**
 * Everything a model is trained on: the data files of a folder, published texts, the generators, then variants of them.
 * `skip` leaves out generators by name, and by the names above what is no generator.
 * @throws RangeError for a name that there is not
 */
export function buildCorpus(folder: string, { skip = [] }: { readonly skip?: readonly string[] } = {}): Corpus {
  const unknown = skip.filter((name) => !variants.includes(name) && generators.every((known) => known.name !== name))
  if (unknown.length > 0) throw new RangeError(`there is no ${unknown.join(', ')} to skip`)
  const unless = (name: string, rows: () => Row[]): Row[] => (skip.includes(name) ? [] : rows())
  const given = [...readRows(folder, 'injection-train.jsonl'), ...unless('published', publishedTexts)]
  const made = generators.flatMap((generator) => unless(generator.name, () => generator.rows()))
  const plain = [...given, ...made, ...unless('written', writtenTexts)]
  const base = [...plain, ...unless('opened', () => openedRows(plain, 1_200, 30))]
  const rows = [
    ...base,
    ...unless('encoded', () => encodedRows(base, 4_000, 31)),
    ...unless('hidden', () => hiddenRows(base, 2_600, 32)),
    ...unless('long', () => longRows(given, 1_000, 33)),
  ]
  const hash = createHash('sha256')
  for (const row of rows) hash.update(JSON.stringify(row))
  return { rows, digest: hash.digest('hex') }
}
