/** A report as one table of long form: section, table, row, column, value. No cell is a formula. Pure. Tested in formats.test.ts. */
import { csvLine } from '../../../kernel/http/body/csv.ts'
import type { ReportDocument, Section } from './model/document.ts'

export function csvOf({ sections }: ReportDocument): string {
  return [csvLine(['section', 'table', 'row', 'column', 'value']), ...sections.flatMap(linesOf)].join('')
}

function linesOf({ fact, figures, tables }: Section): readonly string[] {
  return [
    ...figures.map(({ label, value }) => csvLine([fact, '', null, label, value])),
    ...tables.flatMap(({ title, columns, rows }) =>
      rows.flatMap((row, index) =>
        row.map((cell, column) => csvLine([fact, title, index + 1, columns[column] ?? '', cell])),
      ),
    ),
  ]
}
