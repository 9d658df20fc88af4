/**
 * Harmless texts that others published: a declaration, messages of programs, manuals and code, in 45 languages. Without them long
 * texts in a rare language look foreign, and what looks foreign was taken for an attack.
 */
import { fileURLToPath } from 'node:url'
import { readRows } from './data.ts'
import type { Row } from './row.ts'

const long = 3_000

export function publishedTexts(): Row[] {
  const folder = fileURLToPath(new URL('./texts', import.meta.url))
  return [...readRows(folder, 'documents.jsonl'), ...readRows(folder, 'mined.jsonl')].map((row) => ({
    ...row,
    label: 0,
    kind: row.source === 'code' ? 'code' : row.text.length > long ? 'long-document' : 'document',
  }))
}
