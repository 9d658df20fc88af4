/** A row of a table: cells that wrap, as elements of the tree, with a rule below. Tested in modules/platform/reports/pdf.test.ts. */
import { artifact, colors, content, drawable, element, type Pdf, type Place, page, pen, type Weight } from './paper.ts'

const size = 8
const padding = 3

export interface CellText {
  readonly text: string
  readonly weight: Weight
}

interface Cells {
  readonly cells: readonly CellText[]
  readonly widths: readonly number[]
}

export interface Row extends Cells {
  readonly height: number
  /** Cells that are heads of others: of their columns (all), of their row (first). */
  readonly head: 'all' | 'first' | 'none'
}

/** Points from the top of a row to the top of the next. */
export function heightOf(pdf: Pdf, { cells, widths }: Cells): number {
  const heights = cells.map(({ text, weight }, index) => {
    pen(pdf, { size, weight })
    const shown = drawable(pdf, text)
    return pdf.heightOfString(shown.text, { ...shown.options, width: (widths[index] ?? 0) - 2 * padding })
  })
  return Math.max(size, ...heights) + 2 * padding
}

/** @param head drawn again where the row begins a page */
export function drawRow(place: Place, row: Row, head: Row | null = null): void {
  const { pdf } = place
  if (pdf.y + row.height > page.bottom) {
    pdf.addPage()
    if (head !== null) artifact(pdf, () => drawCells(pdf, head, (_index, draw) => draw()))
  }
  const made = { pdf, parent: element(place, 'TR') }
  drawCells(pdf, row, (index, draw) => {
    if (row.head === 'all') content(made, 'TH', { draw, scope: 'Column' })
    else if (row.head === 'first' && index === 0) content(made, 'TH', { draw, scope: 'Row' })
    else content(made, 'TD', { draw })
  })
  made.parent.end()
  const bottom = pdf.y
  artifact(pdf, () => {
    pdf
      .moveTo(page.left, bottom)
      .lineTo(page.left + page.width, bottom)
      .lineWidth(0.5)
      .stroke(colors.rule)
  })
}

function drawCells(pdf: Pdf, row: Row, each: (index: number, draw: () => void) => void): void {
  const top = pdf.y
  let x: number = page.left
  for (const [index, { text, weight }] of row.cells.entries()) {
    const left = x + padding
    const width = (row.widths[index] ?? 0) - 2 * padding
    each(index, () => {
      pen(pdf, { size, weight })
      const shown = drawable(pdf, text)
      pdf.text(shown.text, left, top + padding, { ...shown.options, width })
    })
    x += row.widths[index] ?? 0
  }
  pdf.y = top + row.height
}
