/**
 * Lines of comma-separated values (RFC 4180): CRLF, every cell in quotes. Promises that no cell is a formula to a
 * spreadsheet, for any input, and is the only writer of such lines. It knows no columns. Tested in csv.test.ts.
 */
export type Cell = string | number | boolean | null

/** Characters that spreadsheets take for the beginning of a formula, in both widths. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

/** The text as it may stand in a cell: text that a spreadsheet would take for a formula gets a leading apostrophe. */
const harmlessCell = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** The text of a cell that `csvLine` wrote; null for one that a spreadsheet would take for a formula. */
export function plainCell(cell: string): string | null {
  if (formula.test(cell)) return null
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join(',')}\r\n`
}

/** A number is no formula, with any sign. */
function written(cell: Cell): string {
  const text = typeof cell === 'string' ? harmlessCell(cell) : String(cell ?? '')
  return `"${text.replaceAll('"', '""')}"`
}
