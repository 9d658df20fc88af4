/** A report as one table of long form: section, table, row, column, value. No cell is a formula. Pure. Tested in formats.test.ts. */
import { csvLine } from '../../../kernel/http/body/csv.ts'
import type { ReportDocument } from './model/document.ts'

/** Written twice, once to count: memory holds the bytes of the file and no more. */
export async function csvOf(document: ReportDocument): Promise<Uint8Array> {
  let size = 0
  for (const line of linesOf(document)) size += Buffer.byteLength(line)
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const line of linesOf(document)) at += bytes.write(line, at)
  return bytes
}

function* linesOf({ sections }: ReportDocument): Generator<string> {
  yield csvLine(['section', 'table', 'row', 'column', 'value'])
  for (const { fact, figures, tables } of sections) {
    for (const { label, value } of figures) yield csvLine([fact, '', null, label, value])
    for (const { title, columns, rows } of tables)
      for (const [index, row] of rows.entries())
        for (const [column, cell] of row.entries()) yield csvLine([fact, title, index + 1, columns[column] ?? '', cell])
  }
}
