/**
 * Exports of the log as a resource: creation, status and download. A file is available whole or not at all, and its
 * creation and download are in the audit log before its first byte is sent. Tested in exports.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { BlobAnswer } from '../../../kernel/module/route.ts'
import { errors } from '../declared/errors.ts'
import { exportDownloaded } from './events.ts'
import { formats } from './formats/format.ts'
import type { NewExport, RequestExport } from './formats/schema.ts'
import { type ExportRow, requestExports } from './tables.ts'

export const exportJob = 'gateway.requests.export'

/** @throws GW-028 */
export async function createExport(
  { clock, random }: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { actor, body }: { readonly actor: Actor; readonly body: NewExport },
): Promise<RequestExport> {
  const { format, gzip = !formats[body.format].isCompressed, include_payload: withPayload = false, ...filter } = body
  if (withPayload && !(await anyContent(tx))) throw errors.payloadNotRetained()
  const now = clock.iso()
  const row: ExportRow = {
    id: random.uuid(),
    tenant_id: tx.tenantId,
    user_id: actor.userId,
    format,
    gzip,
    include_payload: withPayload,
    filter,
    status: 'queued',
    progress: 0,
    row_count: null,
    bytes: null,
    sha256: null,
    blob_id: null,
    failure: null,
    snapshot_at: now,
    expires_at: null,
    created_at: now,
    updated_at: now,
  }
  await requestExports.insert(tx, row)
  await tx.audit('gateway.requests.export', {
    target: `request_export:${row.id}`,
    after: { format, include_payload: withPayload, filter, snapshot_at: now },
  })
  await tx.enqueue({ kind: exportJob, payload: { export_id: row.id }, key: row.id })
  return exportOf(row)
}

async function anyContent(tx: Tx): Promise<boolean> {
  return (await tx.first(sql`select id from gateway_request_payload where expires_at > now() limit 1`)) !== null
}

/** @throws API-013 */
export async function readExport(tx: Tx, id: string): Promise<RequestExport> {
  return exportOf(await requestExports.need(tx, id))
}

function exportOf({ blob_id: blob, user_id: createdBy, ...row }: ExportRow): RequestExport {
  return {
    ...row,
    report_id: row.id,
    kind: 'gateway_requests',
    url: blob === null ? null : `${pathOf(row.id)}/content`,
    created_by: createdBy,
  }
}

export const pathOf = (id: string): string => `/api/v1/gateway/requests/exports/${id}`

/** Opens its own transaction, because a read writes an audit record. @throws API-011, API-013 */
export async function downloadExport(kernel: Kernel, scope: TenantScope, asked: Asked): Promise<BlobAnswer> {
  const { row, blob } = await kernel.db.tenant(scope, async (tx) => {
    const file = fileOf(await requestExports.need(tx, asked.id), kernel.clock.iso())
    await recordDownload(tx, asked.actor, file)
    return { row: file, blob: await kernel.blobs.open(tx, file.blob_id) }
  })
  const { mediaType, extension } = formats[row.format]
  const contentType = row.gzip ? 'application/gzip' : mediaType
  const name = `gateway-requests-${row.id}.${extension}${row.gzip ? '.gz' : ''}`
  return new BlobAnswer({ contentType, name, blob })
}

interface Asked {
  readonly id: string
  readonly actor: Actor
}

type WholeFile = ExportRow & {
  readonly row_count: number
  readonly bytes: number
  readonly sha256: string
  readonly blob_id: string
}

/** An expired file is not served, even if the job that removes it has not run yet. @throws API-011 */
function fileOf(row: ExportRow, now: string): WholeFile {
  const { row_count, bytes, sha256, blob_id, expires_at: expires } = row
  if (row.status === 'failed') throw apiErrors.conflict({ what: `This export failed: ${row.failure ?? 'unknown'}` })
  if (row.status !== 'completed') throw apiErrors.conflict({ what: 'This export is not ready; ask for its progress.' })
  if (expires === null || expires <= now || blob_id === null)
    throw apiErrors.conflict({ what: 'The file of this export was removed when its time was over; make a new one.' })
  if (row_count === null || bytes === null || sha256 === null) throw new Error('A completed export tells of its file')
  return { ...row, row_count, bytes, sha256, blob_id }
}

async function recordDownload(tx: Tx, actor: Actor, file: WholeFile): Promise<void> {
  const { id, format, include_payload, row_count, sha256 } = file
  await tx.audit('gateway.requests.export.download', {
    target: `request_export:${id}`,
    after: { format, include_payload, row_count, sha256 },
  })
  await tx.emit(exportDownloaded, id, {
    export_id: id,
    format,
    include_payload,
    row_count,
    sha256,
    by: actor.userId,
  })
}
