/**
 * Creates the file of an export in the background. An attempt that fails anywhere leaves the export without a file: the
 * next attempt starts over, and of two concurrent attempts the first to finish counts. Tested in exports.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { BlobError } from '../../../kernel/blobs/port.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext } from '../../../kernel/module/module.ts'
import { exportCompleted } from './events.ts'
import { type StoredFile, storeFile } from './file.ts'
import type { ExportedCall } from './formats/exported-call.ts'
import { type ExportRow, requestExports } from './tables.ts'
import { countCalls, walkCalls } from './walk.ts'

export const mostAttempts = 4
const hourMs = 3_600_000
/**
 * Lifetime of a file. A file with content is deleted within a day, because it would otherwise outlive the retention of
 * its content.
 */
const lifeMs = { metadata: 7 * 24 * hourMs, payload: 24 * hourMs } as const

type Run = Pick<JobContext<unknown>, 'tenantId' | 'payload' | 'attempt' | 'signal'>

/** @throws Error if the attempt failed and another one may succeed */
export async function runExport(kernel: Kernel, run: Run): Promise<void> {
  const { tenantId, attempt, signal } = run
  const row = await begin(kernel, tenantId, String(run.payload.export_id))
  if (row === null) return
  try {
    await make(kernel, run, row)
  } catch (error) {
    if (error instanceof BlobError && error.kind === 'too_large')
      return giveUp(kernel, row, 'The file would be larger than this installation stores; narrow the filters.')
    if (error instanceof BlobError && error.kind === 'quota')
      return giveUp(kernel, row, 'The tenant may not store that much (`storage_mb`); wait until older files are gone.')
    if (attempt >= mostAttempts && !signal.aborted)
      await giveUp(kernel, row, 'The file could not be made; an administrator finds the reason in the log.')
    else await patchUnfinished(kernel, row, { status: 'queued', progress: 0 })
    throw error
  }
}

/** Null if there is nothing left to do. */
function begin(kernel: Kernel, tenantId: TenantId, id: string): Promise<(ExportRow & Owned) | null> {
  return kernel.db.tenant({ tenantId }, async (tx) => {
    const row = await unfinished(tx, id)
    if (row === null) return null
    await requestExports.patch(tx, id, { status: 'running', progress: 0, updated_at: kernel.clock.iso() })
    return { ...row, tenantId }
  })
}

interface Owned {
  readonly tenantId: TenantId
}

function unfinished(tx: Tx, id: string): Promise<ExportRow | null> {
  return tx.first(
    sql<ExportRow>`
      select ${requestExports.columns} from gateway_request_export
      where id = ${id} and status in ('queued', 'running') for update`,
  )
}

async function make(kernel: Kernel, { signal }: Run, row: ExportRow & Owned): Promise<void> {
  const total = await countCalls(kernel, row.tenantId, row)
  const stored = await storeFile(kernel, row, watched(kernel, { row, total, signal }))
  // After an error it is unknown whether the commit succeeded, and the file of a completed export must exist.
  if (!(await complete(kernel, row, stored))) await kernel.blobs.discard(row.tenantId, stored.blob_id)
}

interface Watched {
  readonly row: ExportRow & Owned
  readonly total: number
  readonly signal: AbortSignal
}

/** The pages, with progress reported after each; ends when the export is no longer wanted. */
async function* watched(kernel: Kernel, { row, total, signal }: Watched): AsyncGenerator<readonly ExportedCall[]> {
  let walked = 0
  for await (const page of walkCalls(kernel, row.tenantId, row)) {
    signal.throwIfAborted()
    yield page
    walked += page.length
    // It is complete when its file is stored, not when the last call was read.
    await patchUnfinished(kernel, row, { progress: Math.min(0.99, walked / Math.max(1, total)) })
  }
}

/** False if another attempt finished first. */
function complete(kernel: Kernel, row: ExportRow & Owned, stored: StoredFile): Promise<boolean> {
  return kernel.db.tenant({ tenantId: row.tenantId }, async (tx) => {
    if ((await unfinished(tx, row.id)) === null) return false
    const life = row.include_payload ? lifeMs.payload : lifeMs.metadata
    await requestExports.patch(tx, row.id, {
      ...stored,
      status: 'completed',
      progress: 1,
      expires_at: new Date(kernel.clock.now() + life).toISOString(),
      updated_at: kernel.clock.iso(),
    })
    const { row_count, bytes, sha256 } = stored
    await tx.audit('gateway.requests.export.complete', {
      target: `request_export:${row.id}`,
      after: { row_count, bytes, sha256 },
    })
    const { format, include_payload, user_id: by } = row
    await tx.emit(exportCompleted, row.id, { export_id: row.id, format, include_payload, row_count, sha256, by })
    return true
  })
}

function giveUp(kernel: Kernel, row: ExportRow & Owned, failure: string): Promise<void> {
  return patchUnfinished(kernel, row, { status: 'failed', failure })
}

function patchUnfinished(kernel: Kernel, row: ExportRow & Owned, changes: Partial<ExportRow>): Promise<void> {
  return kernel.db.tenant({ tenantId: row.tenantId }, async (tx) => {
    if ((await unfinished(tx, row.id)) === null) return
    await requestExports.patch(tx, row.id, { ...changes, updated_at: kernel.clock.iso() })
  })
}
