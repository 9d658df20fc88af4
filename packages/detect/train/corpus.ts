import { createHash } from 'node:crypto'
import { encodedRows, hiddenRows, longRows, openedRows } from './augment.ts'
import { readRows } from './data.ts'
import { generators } from './generators/all.ts'
import type { Row } from './row.ts'

export interface Corpus {
  readonly rows: readonly Row[]
  /** SHA-256 over all rows in order. */
  readonly digest: string
}

/** Everything a model is trained on: the data files of a folder, then the generators, then variants of both. */
export function buildCorpus(folder: string, { skip = [] }: { readonly skip?: readonly string[] } = {}): Corpus {
  const given = readRows(folder, 'injection-train.jsonl')
  const made = generators.filter(({ name }) => !skip.includes(name)).flatMap((generator) => generator.rows())
  const plain = [...given, ...made]
  const base = [...plain, ...openedRows(plain, 1_200, 30)]
  const rows = [...base, ...encodedRows(base, 4_000, 31), ...hiddenRows(base, 2_000, 32), ...longRows(given, 700, 33)]
  const hash = createHash('sha256')
  for (const row of rows) hash.update(JSON.stringify(row))
  return { rows, digest: hash.digest('hex') }
}
