/**
 * Harmless texts that others published: a declaration, messages of programs, manuals and code, in 45 languages. Without them long
 * texts in a rare language look foreign, and what looks foreign was taken for an attack.
 */
import { fileURLToPath } from 'node:url'
import { readRows } from './data.ts'
import type { Row } from './rows/row.ts'

const long = 3_000

const folder = fileURLToPath(new URL('./texts', import.meta.url))

export function publishedTexts(): Row[] {
  return [...readRows(folder, 'documents.jsonl'), ...readRows(folder, 'mined.jsonl')].map((row) => ({
    ...row,
    label: 0,
    kind: row.source === 'code' ? 'code' : row.text.length > long ? 'long-document' : 'document',
  }))
}

/** Long texts of packages that nothing else here is from; no head learns them, they only say what is normal. */
export function calibrationTexts(): Row[] {
  return readRows(folder, 'calibration.jsonl').map((row) => ({ ...row, label: 0, source: row.from ?? '' }))
}

/** Attacks and near misses, each written on its own; the sources are their authors. */
export function writtenTexts(): Row[] {
  return readRows(folder, 'written.jsonl')
}
