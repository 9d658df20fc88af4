/**
 * Lines of comma-separated values (RFC 4180): CRLF, every text in quotes. Promises that no cell is a formula to a
 * spreadsheet, whatever it was given. It knows no columns. Tested in csv.test.ts.
 */
export type Cell = string | number | boolean | null

/** What spreadsheets take for the beginning of a formula, in both widths. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

/** The text as it may stand in a cell: what a spreadsheet would take for a formula begins with an apostrophe. */
export const harmlessCell = (text: string): string => (formula.test(text) ? `'${text}` : text)

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join(',')}\r\n`
}

function written(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  return `"${harmlessCell(cell).replaceAll('"', '""')}"`
}
