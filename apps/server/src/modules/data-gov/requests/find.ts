/** Runs and requests as lists show them, and the export as a file. Tested in requests.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { BlobError } from '../../../kernel/blobs/port.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { FileAnswer } from '../../../kernel/module/route.ts'
import type { RunFilter, RunRow } from '../declared/retention-schema.ts'
import { runs } from '../declared/retention-tables.ts'
import { errors } from '../errors/errors.ts'
import { runAction } from './intake.ts'

export const exportType = 'application/x-ndjson'

interface Conditions {
  readonly filter: RunFilter
  /** Of the identifier in `filter.subject`. */
  readonly hash: string | null
  /** ISO 8601. */
  readonly now: string
}

export function runConditions({ filter, hash, now }: Conditions): SqlPart {
  const { q, id, kind, request_type: type, status, policy_id: policy, due_before: before, overdue } = filter
  const open = sql`status in ('identity_pending', 'in_progress', 'awaiting_approval', 'fulfilling')`
  return join(
    [
      sql`true`,
      ...(q === undefined ? [] : [sql`lower(reason) like ${likePrefix(q)}`]),
      ...(id === undefined ? [] : [sql`id = ${id}`]),
      ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
      ...(type === undefined ? [] : [sql`request_type = ${type}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(policy === undefined ? [] : [sql`${policy}::uuid = any(policy_ids)`]),
      ...(hash === null ? [] : [sql`subject_id in (select subject_id from data_gov_alias where hash = ${hash})`]),
      ...(before === undefined ? [] : [sql`due_at < ${before}`]),
      ...(overdue === undefined ? [] : [sql`(${open} and due_at < ${now}) = ${overdue}`]),
    ],
    ' and ',
  )
}

export function runView(row: RunRow) {
  const { version: _version, sealed_aliases: _aliases, export_id: _export, ...shown } = row
  return shown
}

export interface Download {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly id: string | undefined
}

/** @throws API-001, API-013, AUTH-004, DGOV-018, DGOV-019 */
export async function exportFile(kernel: Kernel, { scope, actor, id }: Download): Promise<FileAnswer> {
  if (id === undefined)
    throw apiErrors
      .validation({ what: 'An export is that of one request.' })
      .at([{ detail: 'is required for a file', pointer: '?id' }])
  if (!holds(actor.permissions, 'data-gov:admin')) throw authErrors.forbidden({ permission: 'data-gov:admin' })
  try {
    const blob = await kernel.db.tenant(scope, async (tx) => {
      const run = await runs.need(tx, id)
      const isOver = run.export_expires_at !== null && Date.parse(run.export_expires_at) <= kernel.clock.now()
      if (run.export_id === null || isOver) throw errors.exportGone()
      const opened = await kernel.blobs.open(tx, run.export_id)
      await tx.audit(runAction, { target: `data_gov_run:${id}`, after: { downloaded: true, sha256: opened.sha256 } })
      return opened
    })
    const { bytes, sha256 } = blob
    return new FileAnswer({ contentType: exportType, name: `export-${id}.ndjson`, bytes, sha256 }, blob.read())
  } catch (error) {
    if (!(error instanceof BlobError)) throw error
    throw errors.storeUnavailable().causedBy(error)
  }
}
