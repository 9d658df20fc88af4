/**
 * Logged calls as CSV. The kernel writes the cells, so that none is a formula to a spreadsheet, whatever names callers
 * gave their models and tags. Tested in formats.test.ts.
 */
import { csvLine } from '../../../../kernel/http/body/csv.ts'
import { columnsFor } from './columns.ts'
import type { ExportedCall } from './exported-call.ts'

export function callHeader(withPayload: boolean): string {
  return csvLine(columnsFor(withPayload).map(([name]) => name))
}

export function callLine(call: ExportedCall, withPayload: boolean): string {
  return csvLine(columnsFor(withPayload).map(([, , cell]) => cell(call)))
}
