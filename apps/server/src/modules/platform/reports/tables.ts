import { table } from '../../../kernel/db/table.ts'
import { FileRow, ReportRow } from './schema.ts'

export const reports = table({
  name: 'platform_report',
  noun: 'report',
  row: ReportRow,
  sorts: ['created_at'],
  data: { category: 'reports', subject: ['created_by'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})

export const reportFiles = table({
  name: 'platform_report_file',
  noun: 'file',
  row: FileRow,
  dueBy: ['expires_at', 'blob_id'],
  blobs: ['blob_id'],
  data: { category: 'reports', subject: [], retention: 'P90D', erasure: 'none' },
})
