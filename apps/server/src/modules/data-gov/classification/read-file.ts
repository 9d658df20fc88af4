/**
 * Files as columns or documents: tables by their columns, JSON by the paths of its members, everything else as text.
 * Office files, PDF and letters are opened in the kernel's room. Tested in scans.test.ts.
 */
import { isRecord } from '../../../kernel/base/is-record.ts'
import { csvRows, TableFault } from '../../../kernel/http/body/csv-table.ts'
import { type DocumentFormat, type Unpack, UnpackError } from '../../../kernel/unpack/port.ts'
import { errors } from '../errors/errors.ts'
import type { ScannedColumn } from './scan-task.ts'

/** Characters of a piece of a document. */
const pieceCharacters = 16_384
const mostColumns = 1_000
const mostDepth = 8

const documents: Readonly<Record<string, DocumentFormat>> = {
  ...{ txt: 'text', md: 'text', log: 'text', pdf: 'pdf', docx: 'docx', pptx: 'pptx', xlsx: 'xlsx' },
  ...{ eml: 'eml', html: 'html', htm: 'html' },
}

export const endings: readonly string[] = ['csv', 'json', 'ndjson', 'jsonl', ...Object.keys(documents)]

/** @throws DGOV-002 */
export async function readFile(unpack: Unpack, name: string, bytes: Uint8Array): Promise<readonly ScannedColumn[]> {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (ending === 'csv') return tableColumns(utf8(bytes))
  if (ending === 'json') return jsonColumns([parsed(utf8(bytes))])
  if (ending === 'ndjson' || ending === 'jsonl')
    return jsonColumns(
      utf8(bytes)
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map(parsed),
    )
  const format = documents[ending]
  if (format === undefined)
    throw errors.fileRefused({
      what: `Files that end in ".${ending}" are not read. Send one of: ${endings.join(', ')}.`,
    })
  try {
    const { pieces } = await unpack.text(format, bytes)
    return [{ name: null, texts: piecesOf(pieces.map(({ text }) => text).join('\n')) }]
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error
    throw errors.fileRefused({ what: error.message }).causedBy(error)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    throw errors.fileRefused({ what: 'The file is not UTF-8 text.' }).causedBy(error)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw errors.fileRefused({ what: 'The file is not JSON.' }).causedBy(error)
  }
}

function tableColumns(text: string): readonly ScannedColumn[] {
  const [head = [], ...rows] = rowsOf(text)
  if (head.length > mostColumns) throw errors.fileRefused({ what: `The table has more than ${mostColumns} columns.` })
  return head.map((name, at) => ({
    name: name.trim().slice(0, 200) || `column ${at + 1}`,
    texts: rows.map((row) => row[at] ?? '').filter((value) => value !== ''),
  }))
}

function rowsOf(text: string): readonly (readonly string[])[] {
  try {
    return csvRows(text)
  } catch (error) {
    if (!(error instanceof TableFault)) throw error
    throw errors.fileRefused({ what: error.message }).causedBy(error)
  }
}

function jsonColumns(values: readonly unknown[]): readonly ScannedColumn[] {
  const columns = new Map<string, string[]>()
  const rows = values.flatMap((value) => (Array.isArray(value) ? value : [value]))
  for (const row of rows) collect(columns, row, { path: '', depth: 0 })
  return [...columns].map(([name, texts]) => ({ name: name === '' ? 'value' : name, texts }))
}

interface Place {
  readonly path: string
  readonly depth: number
}

function collect(columns: Map<string, string[]>, value: unknown, { path, depth }: Place): void {
  if (value === null || value === undefined || value === '') return
  if (depth < mostDepth && Array.isArray(value)) {
    for (const one of value) collect(columns, one, { path: `${path}[]`, depth: depth + 1 })
    return
  }
  if (depth < mostDepth && isRecord(value)) {
    for (const [name, one] of Object.entries(value))
      collect(columns, one, { path: path === '' ? name : `${path}.${name}`, depth: depth + 1 })
    return
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const known = columns.get(path.slice(0, 200))
  if (known !== undefined) known.push(text)
  else if (columns.size >= mostColumns)
    throw errors.fileRefused({ what: `The file has more than ${mostColumns} paths of members.` })
  else columns.set(path.slice(0, 200), [text])
}

/** Cut at white space, so that no value is in two pieces. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = Math.min(text.length, at + pieceCharacters)
    const space = end === text.length ? end : text.lastIndexOf('\n', end)
    const cut = space > at ? space : end
    pieces.push(text.slice(at, cut))
    at = cut
  }
  return pieces
}
