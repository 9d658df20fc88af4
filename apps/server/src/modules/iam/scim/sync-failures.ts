/**
 * Writes of directories that were refused, so that an administrator learns of a synchronization that does not get through
 * from here and not from the directory's own pages. Tested in sync-failures.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { createMinuteReports, type MinuteReports } from '../services/minute-reports.ts'
import { type CallContext, type Directory, directoryOf } from './caller.ts'
import { scimSyncFailed } from './events.ts'

export function createSyncReports(kernel: Kernel): MinuteReports {
  return createMinuteReports(kernel, {
    name: 'iam.scim-sync-failures',
    tell: async (tx, keyId, { count: failures, codes }) => {
      const key = await tx.first(sql<{ sso_connection_id: string | null }>`
        select sso_connection_id from iam_api_key where id = ${keyId}`)
      const told = { failures, error_codes: [...codes] }
      await tx.audit('iam.scim.sync_failed', { target: `api_key:${keyId}`, after: told, result: 'refused' })
      const sso_connection_id = key?.sso_connection_id ?? null
      await tx.emit(scimSyncFailed, `api-key/${keyId}`, { api_key_id: keyId, sso_connection_id, ...told })
    },
  })
}

/** Runs a write of a directory; records an error that prevents it, and rethrows it. */
export async function written<A>(context: CallContext, write: (directory: Directory) => Promise<A>): Promise<A> {
  const directory = await directoryOf(context)
  try {
    return await write(directory)
  } catch (error) {
    noteFailure(context, error)
    throw error
  }
}

/** One that came too late for the version it names is tried again by its directory, and is no failure. */
export function noteFailure(
  { services, actor }: { readonly services: { readonly syncFailures: MinuteReports }; readonly actor: Actor },
  error: unknown,
): void {
  const { code } = error instanceof ProblemError ? error : apiErrors.internal()
  if (actor.keyId === null || code === apiErrors.preconditionFailed.code) return
  services.syncFailures.failed(actor.tenantId, actor.keyId, code)
}
