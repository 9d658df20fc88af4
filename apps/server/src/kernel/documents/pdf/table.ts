/**
 * Tables over as many pages as they take, with their heads again on each. One with more columns than a page is wide, or
 * with a row that is nearly as high as a page, is written as a list of its rows instead. Tested in modules/platform/reports/pdf.test.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cell, DocumentTable } from '../document.ts'
import { type Element, element, type Place, page, write } from './paper.ts'
import { drawRow, heightOf, type Row } from './row.ts'

const mostColumns = 9
const tallest = (page.bottom - page.top) / 2
/** Rows between which other work of the process has its turn. */
const rowsPerTurn = 20

const shown = (cell: Cell): string => (cell === null ? '–' : String(cell))

export async function table(place: Place, given: DocumentTable): Promise<void> {
  const widths = widthsOf(given)
  const rows = given.columns.length > mostColumns ? null : await measured(place, { given, widths })
  await (rows === null ? listed(place, given) : ruled(place, { given, widths, rows }))
  place.pdf.x = page.left
  place.pdf.y += 10
}

interface Laid {
  readonly given: DocumentTable
  readonly widths: readonly number[]
}

/** Null where a row is too high. */
async function measured({ pdf }: Place, { given, widths }: Laid): Promise<readonly Row[] | null> {
  const rows: Row[] = []
  for (const [index, cells] of given.rows.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
    const texts = cells.map((cell) => ({ text: shown(cell), weight: 'regular' as const }))
    const height = heightOf(pdf, { cells: texts, widths })
    if (height > tallest) return null
    rows.push({ cells: texts, widths, height, head: 'none' })
  }
  return rows
}

async function ruled(place: Place, { given, widths, rows }: Laid & { readonly rows: readonly Row[] }): Promise<void> {
  const { pdf } = place
  const parent = element(place, 'Table')
  const made = { pdf, parent }
  write(made, given.title, { type: 'Caption', size: 10, weight: 'bold', after: 3, keep: 60 })
  const cells = given.columns.map((text) => ({ text, weight: 'bold' as const }))
  const head: Row = { cells, widths, height: heightOf(pdf, { cells, widths }), head: 'all' }
  drawRow(made, head)
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
    drawRow(made, row, head)
  }
  parent.end()
}

/** Each row as a paragraph of names and values. */
async function listed(place: Place, { title, columns, rows }: DocumentTable): Promise<void> {
  const { pdf } = place
  write(place, title, { type: 'H3', size: 10, weight: 'bold', after: 3, keep: 30 })
  const list = element(place, 'L')
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
    const item = element({ pdf, parent: list }, 'LI')
    const text = row.map((cell, column) => `${columns[column] ?? ''}: ${shown(cell)}`).join('; ')
    write({ pdf, parent: item }, `${index + 1}. ${text}`, { type: 'LBody', size: 8.5, after: 3 })
    item.end()
  }
  list.end()
}

/** Widths by the longest texts of the columns, none so narrow that its words break. */
function widthsOf({ columns, rows }: DocumentTable): readonly number[] {
  const sample = rows.slice(0, 50)
  const weights = columns.map((name, index) => {
    const longest = Math.max(name.length, 4, ...sample.map((row) => shown(row[index] ?? null).length))
    return Math.sqrt(Math.min(40, longest))
  })
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => (weight / all) * page.width)
}

/** Names and values beside each other; one that is too high for that is a paragraph. */
export function pairs(place: Place, entries: readonly (readonly [string, Cell])[]): void {
  const { pdf } = place
  const widths = [page.width * 0.45, page.width * 0.55]
  let parent: Element | null = null
  for (const [name, value] of entries) {
    const cells = [
      { text: name, weight: 'regular' as const },
      { text: shown(value), weight: 'bold' as const },
    ]
    const height = heightOf(pdf, { cells, widths })
    if (height > tallest) {
      parent?.end()
      parent = null
      write(place, `${name}: ${shown(value)}`, { type: 'P', size: 8.5 })
    } else {
      parent ??= element(place, 'Table')
      drawRow({ pdf, parent }, { cells, widths, height, head: 'first' })
    }
  }
  parent?.end()
  pdf.x = page.left
  pdf.y += 8
}
