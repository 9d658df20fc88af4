/**
 * The job of a report: facts of one snapshot, with the rights that its requester has now, made into files that are signed.
 * An attempt that breaks leaves no file; the next one begins anew. Tested in reports.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { everyPermission } from '../../../kernel/access/permissions.ts'
import { BlobError } from '../../../kernel/blobs/port.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { reportCompleted } from './events.ts'
import { documentOf, type ReportDocument } from './model/document.ts'
import { rendered } from './render.ts'
import { reportJobKind } from './request.ts'
import type { FileRow, ReportRow } from './schema.ts'
import { signDetached } from './sign.ts'
import { reportFiles, reports } from './tables.ts'

const mostAttempts = 4
const keptMs = 90 * 86_400_000

export const reportJob: JobDeclaration<PlatformServices> = {
  kind: reportJobKind,
  lane: 'long',
  maxAttempts: mostAttempts,
  leaseMs: 60_000,
  everyMs: null,
  run,
}

async function run(context: JobContext<PlatformServices>): Promise<void> {
  const { services, tenantId, payload, attempt } = context
  const { kernel } = services
  const id = String(payload.report_id)
  const row = await kernel.db.tenant({ tenantId }, async (tx) => {
    const found = await tx.first(sql<ReportRow>`
      select ${reports.columns} from platform_report where id = ${id} and status in ('queued', 'running') for update`)
    if (found !== null) await reports.patch(tx, id, { status: 'running', updated_at: kernel.clock.iso() })
    return found
  })
  if (row === null) return
  try {
    await make(context, row)
  } catch (error) {
    const failure = failureOf(error) ?? (attempt >= mostAttempts ? 'The files could not be made.' : null)
    if (failure === null) throw error
    await kernel.db.tenant({ tenantId }, (tx) =>
      reports.patch(tx, id, { status: 'failed', failure, updated_at: kernel.clock.iso() }),
    )
  }
}

/** Failures that another attempt does not change. */
function failureOf(error: unknown): string | null {
  if (error instanceof BlobError && error.kind === 'quota') return 'The tenant may not store that much (`storage_mb`).'
  return error instanceof ProblemError ? `${error.code}: ${error.message}`.slice(0, 500) : null
}

async function make(context: JobContext<PlatformServices>, row: ReportRow): Promise<void> {
  const { services, tenantId } = context
  const { kernel } = services
  const document = await snapshot(context, row)
  const files: FileRow[] = []
  for (const format of row.formats) files.push(await fileOf(services, tenantId, { row, document, format }))
  const stored = await kernel.db.tenant({ tenantId }, async (tx) => {
    const open = await tx.first(sql`
      select id from platform_report where id = ${row.id} and status = 'running' for update`)
    if (open === null) return false
    for (const file of files) await reportFiles.insert(tx, file)
    const at = kernel.clock.iso()
    await reports.patchVersion(tx, row.id, {
      ...{ status: 'completed', progress: 1, snapshot_at: document.snapshot_at, updated_at: at },
    })
    await tx.emit(reportCompleted, row.id, {
      ...{ report_id: row.id, kind: row.kind, formats: row.formats, created_by: row.created_by },
      sha256: files.map((file) => file.sha256),
    })
    return true
  })
  if (!stored) for (const { blob_id: blob } of files) if (blob !== null) await kernel.blobs.discard(tenantId, blob)
}

/** @throws AUTH-018 where the requester is gone, AUTH-004 where a section may no longer be read */
async function snapshot(
  { services, tenantId, id: jobId }: JobContext<PlatformServices>,
  row: ReportRow,
): Promise<ReportDocument> {
  const { kernel, facts } = services
  const actor = await kernel.auth.actAs({
    ...{ tenantId, userId: row.created_by, ceiling: everyPermission, job: { kind: reportJobKind, id: jobId } },
  })
  return kernel.db.tenant({ tenantId, readOnly: true, snapshot: true }, async (tx) => {
    const known = facts().all
    const readings = []
    let at = kernel.clock.iso()
    for (const [index, name] of row.parameters.sections.entries()) {
      const takesDays = 'days' in (known.get(name)?.query.properties ?? {})
      const query = takesDays
        ? { days: Math.min(row.parameters.days, daysOf(known.get(name)?.query.properties.days)) }
        : {}
      const reading = await facts().read(tx, name, { caller: actor, query })
      if (index === 0) at = reading.at
      readings.push({ name, description: known.get(name)?.description ?? '', data: reading.data })
    }
    return documentOf(
      {
        ...{ tenant_id: tenantId, report_id: row.id, kind: row.kind, title: row.title, snapshot_at: at },
        ...{ days: row.parameters.days, omitted: row.omitted },
      },
      readings,
    )
  })
}

const daysOf = (schema: unknown): number =>
  typeof schema === 'object' && schema !== null && 'maximum' in schema && typeof schema.maximum === 'number'
    ? schema.maximum
    : 90

interface Making {
  readonly row: ReportRow
  readonly document: ReportDocument
  readonly format: FileRow['format']
}

async function fileOf(
  { kernel }: PlatformServices,
  tenantId: TenantId,
  { row, document, format }: Making,
): Promise<FileRow> {
  const bytes = await rendered(document, format)
  const signature = await signDetached(kernel.signingKeys, bytes)
  const blob = await kernel.blobs.put(
    tenantId,
    (async function* content() {
      yield bytes
    })(),
  )
  return {
    ...{ id: kernel.random.uuid(), tenant_id: tenantId, created_at: kernel.clock.iso(), report_id: row.id, format },
    ...{ bytes: bytes.byteLength, sha256: sha256(bytes), signature, blob_id: blob.id },
    expires_at: new Date(kernel.clock.now() + keptMs).toISOString(),
  }
}
