/**
 * Reads a table of comma-separated values (RFC 4180) strictly: input that a spreadsheet and this reader could read in
 * two ways is refused by its line, and nothing is guessed. A cell that a spreadsheet would take for a formula is
 * refused unless it stands behind an apostrophe, as csv.ts writes it. It knows no meaning of columns. Tested in
 * csv-table.test.ts.
 */
import { plainCell } from './csv.ts'

export interface TableForm {
  /** Names a header may have; each at most once. */
  readonly columns: readonly string[]
  readonly required: readonly string[]
  readonly maxRows: number
  /** Characters. */
  readonly maxCell: number
}

export interface TableRow {
  /** Where the row begins, from 1; the header is the first. */
  readonly line: number
  /** By column; an empty cell is not there. */
  readonly cells: ReadonlyMap<string, string>
  /** Why the row cannot be taken; empty where it can. */
  readonly faults: readonly string[]
}

/** The table as a whole cannot be read. The message is for its sender. */
export class TableFault extends Error {}

interface Line {
  readonly line: number
  readonly cells: readonly string[]
}

/** @throws TableFault */
export function readTable(text: string, form: TableForm): readonly TableRow[] {
  const [header, ...lines] = linesOf(text.startsWith('\uFEFF') ? text.slice(1) : text)
  if (header === undefined) throw new TableFault('The table is empty; its first line names the columns.')
  const columns = columnsOf(header.cells, form)
  if (lines.length > form.maxRows) throw new TableFault(`The table has more than ${form.maxRows} rows.`)
  return lines.map((line) => rowOf(line, { columns, form }))
}

/** All lines as cells, the header included, of a table whose columns are not known before. @throws TableFault */
export function csvRows(text: string): readonly (readonly string[])[] {
  return linesOf(text.startsWith('\uFEFF') ? text.slice(1) : text).map(({ cells }) => cells)
}

function columnsOf(cells: readonly string[], form: TableForm): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  const unknown = names.filter((name) => !form.columns.includes(name))
  if (unknown.length > 0) {
    const known = form.columns.join(', ')
    throw new TableFault(
      `There is no column ${unknown.map((name) => JSON.stringify(name.slice(0, 60))).join(', ')}; there are ${known}.`,
    )
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new TableFault(`The column ${twice} is there twice.`)
  const missing = form.required.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new TableFault(`The column ${missing.join(', ')} is missing.`)
  return names
}

interface Reading {
  readonly columns: readonly string[]
  readonly form: TableForm
}

function rowOf({ line, cells }: Line, { columns, form }: Reading): TableRow {
  if (cells.length !== columns.length) {
    const faults = [`The row has ${cells.length} cells and the header ${columns.length}.`]
    return { line, cells: new Map(), faults }
  }
  const faults: string[] = []
  const read = new Map<string, string>()
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? ''
    const plain = plainCell(cell)
    if (plain === null) faults.push(`${name} begins as a formula does; put an apostrophe before it.`)
    else if (cell.length > form.maxCell) faults.push(`${name} is longer than ${form.maxCell} characters.`)
    else if (plain !== '') read.set(name, plain)
  }
  return { line, cells: read, faults }
}

/** Cells by line; empty lines are left out. @throws TableFault */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = []
  let at = 0
  let line = 1
  while (at < text.length) {
    const cells: string[] = []
    const begins = line
    for (let more = true; more; ) {
      const cell = cellAt(text, at, line)
      cells.push(cell.value)
      line += cell.breaks
      more = text[cell.end] === ','
      at = cell.end + (more ? 1 : 0)
    }
    at = afterBreak(text, at, line)
    line += 1
    if (cells.length > 1 || cells[0] !== '') lines.push({ line: begins, cells })
  }
  return lines
}

interface CellRead {
  readonly value: string
  /** The comma, the break or the end behind it. */
  readonly end: number
  /** Line breaks inside. */
  readonly breaks: number
}

function cellAt(text: string, start: number, line: number): CellRead {
  if (text[start] === '"') return quotedCell(text, start, line)
  let end = start
  for (; end < text.length && !',\r\n'.includes(text.charAt(end)); end += 1) {
    if (text[end] === '"') throw new TableFault(`Line ${line}: a quotation mark stands inside a cell without quotes.`)
  }
  return { value: text.slice(start, end), end, breaks: 0 }
}

function quotedCell(text: string, start: number, line: number): CellRead {
  let end = start + 1
  for (;;) {
    const mark = text.indexOf('"', end)
    if (mark === -1) throw new TableFault(`Line ${line}: a quotation mark is never closed.`)
    if (text[mark + 1] !== '"') {
      end = mark + 1
      break
    }
    end = mark + 2
  }
  const isClosed = end === text.length || ',\r\n'.includes(text.charAt(end))
  if (!isClosed) throw new TableFault(`Line ${line}: something stands between a closing quotation mark and the comma.`)
  const value = text.slice(start + 1, end - 1).replaceAll('""', '"')
  return { value, end, breaks: value.split('\n').length - 1 }
}

function afterBreak(text: string, at: number, line: number): number {
  if (at === text.length || text[at] === '\n') return at + 1
  if (text[at] === '\r' && text[at + 1] === '\n') return at + 2
  throw new TableFault(`Line ${line}: a carriage return stands alone.`)
}
