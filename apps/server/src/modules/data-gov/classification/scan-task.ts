/**
 * Looks for personal data and secrets in columns and documents, in a thread. Values stay here: the result has counts and
 * masked examples alone. Tested in scans.test.ts.
 */
import { findSecrets, searchPii } from '@parapet/detect'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import type { Hits } from '../engine/verdicts.ts'
import { categoryOfType } from '../taxonomy/taxonomy.ts'

export interface ScannedColumn {
  /** Null for a document. */
  readonly name: string | null
  /** Values of a column, or pieces of a document. */
  readonly texts: readonly string[]
}

export interface ColumnHits {
  readonly name: string | null
  readonly n: number
  readonly characters: number
  readonly hits: readonly Hits[]
  readonly examples: readonly { readonly category: string; readonly text: string }[]
  /** Texts in which too much looked like personal data to be read to the end. */
  readonly unread: number
}

/** Types whose values have check digits. */
const checkedTypes: ReadonlySet<string> = new Set(['CREDIT_CARD', 'IBAN', 'TAX_ID', 'IMEI', 'VIN'])
const mostExamples = 3

type ScanTask = ThreadTask<readonly ScannedColumn[], readonly ColumnHits[]>

const run: ScanTask['run'] = (columns, { stopped }) =>
  columns.map((column) => {
    if (stopped()) throw new Error('Nobody waits for the scan any more')
    return scanColumn(column)
  })

export const scanColumns: ScanTask = { name: 'data_gov.scan', lane: 'bulk', run }

/** The same in a thread of quick tasks, for parts that take milliseconds, as long as nobody else needs one. */
export const scanPart: ScanTask = { name: 'data_gov.scan_part', lane: 'quick', run }

interface Found {
  hits: number
  checked: number
  readonly examples: string[]
}

export function scanColumn({ name, texts }: ScannedColumn): ColumnHits {
  const found = new Map<string, Found>()
  let [characters, unread] = [0, 0]
  for (const text of texts) {
    characters += text.length
    const { findings, truncated } = searchPii(text)
    if (truncated) unread += 1
    const seen = new Map<string, boolean>()
    for (const { type, start, end } of truncated ? [] : findings) {
      const category = categoryOfType(type)
      note(found, category, { seen, isChecked: checkedTypes.has(type), value: text.slice(start, end) })
    }
    for (const { start, end } of findSecrets(text))
      note(found, 'secret', { seen, isChecked: false, value: text.slice(start, end) })
    for (const [category, isChecked] of seen) count(found, category, isChecked)
  }
  return {
    ...{ name, n: texts.length, characters, unread },
    hits: [...found].map(([category, { hits, checked }]) => ({ category, hits, checked })),
    examples: [...found].flatMap(([category, { examples }]) => examples.map((text) => ({ category, text }))),
  }
}

interface Noted {
  readonly seen: Map<string, boolean>
  readonly isChecked: boolean
  readonly value: string
}

function note(found: Map<string, Found>, category: string, { seen, isChecked, value }: Noted): void {
  const one = found.get(category) ?? { hits: 0, checked: 0, examples: [] }
  found.set(category, one)
  seen.set(category, (seen.get(category) ?? false) || isChecked)
  if (one.examples.length < mostExamples) one.examples.push(masked(value))
}

function count(found: Map<string, Found>, category: string, isChecked: boolean): void {
  const one = found.get(category)
  if (one === undefined) return
  one.hits += 1
  if (isChecked) one.checked += 1
}

/** The first character of each word and nothing else, so that a person sees the form: `j*** d***`. */
export function masked(value: string): string {
  return value
    .slice(0, 80)
    .replaceAll(/[\p{L}\p{N}]+/gu, (word) => `${word.slice(0, 1)}***`)
    .slice(0, 80)
}
