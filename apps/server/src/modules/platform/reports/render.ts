/** The bytes of a report in a format: equal documents give equal bytes. Tested in formats.test.ts. */
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { htmlOf } from '../../../kernel/documents/html.ts'
import { pdfOf } from '../../../kernel/documents/pdf/pdf.ts'
import type { ReportFormat } from '../declared/report-words.ts'
import { csvOf } from './csv.ts'
import { type ReportDocument, writtenOf } from './model/document.ts'

export const mediaTypes: Readonly<Record<ReportFormat, string>> = {
  html: 'text/html',
  csv: 'text/csv',
  json: 'application/vnd.parapet.report+json',
  pdf: 'application/pdf',
}

const writers: Readonly<Record<ReportFormat, (document: ReportDocument) => string | Promise<Uint8Array>>> = {
  html: (document) => htmlOf(writtenOf(document)),
  csv: csvOf,
  json: canonicalJson,
  pdf: (document) => pdfOf(writtenOf(document)),
}

export async function rendered(document: ReportDocument, format: ReportFormat): Promise<Uint8Array> {
  const written = await writers[format](document)
  return typeof written === 'string' ? Buffer.from(written) : written
}
