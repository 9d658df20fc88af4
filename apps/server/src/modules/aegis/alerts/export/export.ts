/**
 * Alerts for other systems, in the order of their changes: a reader that keeps the cursor gets each alert again after
 * every change. Promises that no change is left out. An alert changed within the last two seconds may be returned
 * twice, because a transaction that began earlier may still commit. Tested in export.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { PageRequest } from '../../../../kernel/db/table.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { PageFileAnswer } from '../../../../kernel/module/route.ts'
import type { AlertRow } from '../declared/schema.ts'
import { alerts } from '../declared/tables.ts'
import { cefLine } from './cef.ts'
import { ocsfFinding } from './ocsf.ts'
import { syslogLine } from './syslog.ts'

export const exportFormats = ['ocsf', 'cef', 'syslog'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportFiles = ['application/x-ndjson', 'text/plain'] as const
export type ExportFile = (typeof exportFiles)[number]

/** Alerts of one file. */
const mostAlerts = 10_000
const pageSize = 500

/** Milliseconds that changes are given to commit before the cursor passes them. */
const settledMs = 2_000

type Position = readonly [updatedAt: string, id: string]

/** Before all ids of the moment. */
const firstId = '00000000-0000-0000-0000-000000000000'

type Parts = Pick<Kernel, 'db' | 'clock' | 'config'>

export interface ExportRequest {
  readonly tenantId: TenantId
  readonly page: PageRequest
  readonly since: string | undefined
  readonly format: ExportFormat | undefined
  readonly file: ExportFile
}

/** @throws API-001 for a format that the file form does not hold */
export async function exportAlerts(parts: Parts, request: ExportRequest): Promise<PageFileAnswer> {
  const { file, page, tenantId } = request
  const format = request.format ?? (file === 'text/plain' ? 'cef' : 'ocsf')
  if ((format === 'ocsf') !== (file === 'application/x-ndjson')) {
    const detail = `The format ${format} is answered to Accept: ${format === 'ocsf' ? 'application/x-ndjson' : 'text/plain'}.`
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/format' }])
  }
  const from: Position = startOf(request)
  const last = await endOf(parts, tenantId, from)
  const end = last === null ? page.after : settled(last, parts.clock.now())
  const name = `alerts.${format === 'ocsf' ? 'ndjson' : format === 'cef' ? 'cef' : 'log'}`
  return new PageFileAnswer(
    { contentType: `${file}; charset=utf-8`, name },
    last === null ? none() : lines(parts, { tenantId, from, last, line: lineOf(parts, format) }),
    { hasMore: end !== null, last: end, total: page.total ?? 0 },
  )
}

async function* none(): AsyncGenerator<string> {}

function startOf({ page: { after }, since }: ExportRequest): Position {
  if (after !== null) return [String(after.value), after.id]
  return [since ?? '1970-01-01T00:00:00.000Z', firstId]
}

async function endOf({ db }: Parts, tenantId: TenantId, [at, id]: Position): Promise<Position | null> {
  const [row] = await db.read(
    tenantId,
    sql<{ updated_at: string; id: string }>`
      select updated_at, id from (
        select updated_at, id from aegis_alert where (updated_at, id) > (${at}, ${id})
        order by updated_at, id limit ${mostAlerts}) page
      order by updated_at desc, id desc limit 1`,
  )
  return row === undefined ? null : [row.updated_at, row.id]
}

/** The last position that no change can come before any more. */
function settled([at, id]: Position, now: number): { readonly value: string; readonly id: string } {
  const until = new Date(now - settledMs).toISOString()
  return at < until ? { value: at, id } : { value: until, id: firstId }
}

type Line = (alert: AlertRow) => string

function lineOf({ config }: Parts, format: ExportFormat): Line {
  const host = new URL(config.publicUrl).hostname
  return {
    ocsf: (alert: AlertRow) => JSON.stringify(ocsfFinding(alert)),
    cef: cefLine,
    syslog: (alert: AlertRow) => syslogLine(alert, host),
  }[format]
}

interface Walk {
  readonly tenantId: TenantId
  readonly from: Position
  readonly last: Position
  readonly line: Line
}

async function* lines({ db }: Parts, { tenantId, from, last, line }: Walk): AsyncGenerator<string> {
  let [at, id] = from
  for (;;) {
    const rows = await db.read(
      tenantId,
      sql<AlertRow>`
        select ${alerts.columns} from aegis_alert
        where (updated_at, id) > (${at}, ${id}) and (updated_at, id) <= (${last[0]}, ${last[1]})
        order by updated_at, id limit ${pageSize}`,
    )
    const end = rows.at(-1)
    if (end === undefined) return
    yield rows.map((row) => `${line(row)}\n`).join('')
    ;[at, id] = [end.updated_at, end.id]
  }
}
