/** Reports are listed and seen, and their files read by whoever may read all that is in them. Tested in reports.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds, isPermission } from '../../../kernel/access/permissions.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { BlobAnswer, Versioned } from '../../../kernel/module/route.ts'
import type { ReportFormat } from '../declared/report-words.ts'
import { errors } from '../errors/errors.ts'
import { mediaTypes } from './render.ts'
import type { FileRow, Report, ReportFilter, ReportRow } from './schema.ts'
import { reportFiles, reports } from './tables.ts'

export interface ReportList {
  readonly page: PageRequest
  readonly filter: ReportFilter
}

export async function listReports(tx: Tx, { page, filter }: ReportList): Promise<Page<Report>> {
  const { q, kind, status, created_after: after, workflow_id: workflow } = filter
  const where = [
    sql`true`,
    ...(q === undefined
      ? []
      : [sql`(lower(title) like ${likePrefix(q)} or lower(title) like ${`% ${likePrefix(q)}`})`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(after === undefined ? [] : [sql`created_at > ${after}`]),
    ...(workflow === undefined ? [] : [sql`workflow_id = ${workflow}`]),
  ]
  const found = await reports.page(tx, page, join(where, ' and '))
  return { ...found, items: await viewsOf(tx, found.items) }
}

export async function seeReport(tx: Tx, id: string): Promise<Versioned<Report>> {
  const row = await reports.need(tx, id)
  const [view] = await viewsOf(tx, [row])
  if (view === undefined) throw new Error('a report without a view')
  return new Versioned(view, row.version)
}

export async function viewsOf(tx: Tx, rows: readonly ReportRow[]): Promise<readonly Report[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const files = await tx.query(sql<FileRow>`
    select ${reportFiles.columns} from platform_report_file where report_id = any(${ids}::uuid[]) order by format`)
  const workflowIds = rows.flatMap(({ workflow_id: id }) => id ?? [])
  const schedules = await tx.query(sql<{ id: string; cron: string | null; time_zone: string | null }>`
    select id, definition -> 'trigger' ->> 'cron' as cron, definition -> 'trigger' ->> 'time_zone' as time_zone
    from platform_workflow where id = any(${workflowIds}::uuid[])`)
  const scheduleOf = new Map(
    schedules.map(({ id, cron, time_zone }) => [id, cron === null ? null : { cron, time_zone }]),
  )
  return rows.map(({ version: _version, permissions: _permissions, ...shown }) => ({
    ...shown,
    files: files.filter((file) => file.report_id === shown.id && file.blob_id !== null).map(fileView),
    schedule: shown.workflow_id === null ? null : (scheduleOf.get(shown.workflow_id) ?? null),
  }))
}

function fileView({ report_id: id, format, bytes, sha256, signature, expires_at }: FileRow): Report['files'][0] {
  const url = `/api/v1/platform/reports/${id}?format=${format}`
  return { format, bytes, sha256, signature, url, expires_at }
}

export interface FileRequest {
  readonly scope: TenantScope
  readonly actor: Pick<Actor, 'permissions'>
  readonly id: string
  readonly format: ReportFormat
}

/** @throws API-013, AUTH-004, PLAT-008, PLAT-009 */
export function readFile({ db, blobs }: Kernel, { scope, actor, id, format }: FileRequest): Promise<BlobAnswer> {
  return db.tenant({ ...scope, readOnly: true }, async (tx) => {
    const row = await reports.need(tx, id)
    const lacking = row.permissions.filter(isPermission).find((permission) => !holds(actor.permissions, permission))
    if (lacking !== undefined) throw authErrors.forbidden({ permission: lacking })
    if (!row.formats.includes(format)) throw errors.formatMissing({ formats: row.formats.join(', ') })
    if (row.status !== 'completed')
      throw errors.reportNotReady({ what: `The report is ${row.status}. Its files are there when it is completed.` })
    const file = await tx.first(sql<FileRow>`
      select ${reportFiles.columns} from platform_report_file where report_id = ${id} and format = ${format}`)
    if (file === null || file.blob_id === null)
      throw errors.reportNotReady({ what: 'The files of the report are no longer kept. Produce it anew.' })
    const blob = await blobs.open(tx, file.blob_id)
    return new BlobAnswer({ contentType: mediaTypes[format], name: `${row.kind}-${row.id}.${format}`, blob })
  })
}
