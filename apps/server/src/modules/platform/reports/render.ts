/** The bytes of a report in a format: equal documents give equal bytes. Tested in formats.test.ts. */
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import type { ReportFormat } from '../declared/report-words.ts'
import { csvOf } from './csv.ts'
import { htmlOf } from './html.ts'
import type { ReportDocument } from './model/document.ts'
import { pdfOf } from './pdf/pdf.ts'

export const mediaTypes: Readonly<Record<ReportFormat, string>> = {
  html: 'text/html',
  csv: 'text/csv',
  json: 'application/vnd.parapet.report+json',
  pdf: 'application/pdf',
}

const writers: Readonly<Record<ReportFormat, (document: ReportDocument) => string | Promise<Uint8Array>>> = {
  html: htmlOf,
  csv: csvOf,
  json: canonicalJson,
  pdf: pdfOf,
}

export async function rendered(document: ReportDocument, format: ReportFormat): Promise<Uint8Array> {
  const written = await writers[format](document)
  return typeof written === 'string' ? Buffer.from(written) : written
}
