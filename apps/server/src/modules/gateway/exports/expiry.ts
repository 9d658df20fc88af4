import type { TenantId } from '../../../kernel/access/actor.ts'
import type { SqlPart } from '../../../kernel/db/sql.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt } from '../../../kernel/module/module.ts'

/** Rows of one run; the next one comes within minutes. */
const slice = 100
const dayMs = 86_400_000
/** Days for which it is remembered that there was a file. */
const rememberedDays = 30

type Sweeper = Pick<Kernel, 'db' | 'clock' | 'blobs'>

interface Expired {
  readonly id: string
  readonly blob_sha256: string
}

/**
 * Removes the files of exports when their time is over, and ends exports whose job was lost. The key goes first: bytes
 * that could not be removed then are unreadable ones, and the next run tries again.
 */
export async function sweepExports({ db, clock, blobs }: Sweeper, tenantId: TenantId): Promise<void> {
  const now = clock.iso()
  const daysAgo = (days: number): string => new Date(clock.now() - days * dayMs).toISOString()
  const expired = await db.tenant({ tenantId }, async (tx) => {
    await tx.execute(
      sql`
        update gateway_request_export set status = 'failed', failure = 'The work on this export was lost.', updated_at = ${now}
        where status in ('queued', 'running') and updated_at < ${daysAgo(1)}`,
    )
    await tx.execute(
      sql`
        delete from gateway_request_export
        where blob_sha256 is null and coalesce(expires_at, updated_at) < ${daysAgo(rememberedDays)}
          and status in ('completed', 'failed')`,
    )
    await tx.execute(
      sql`
        update gateway_request_export set wrapped_key = null, updated_at = ${now}
        where wrapped_key is not null and expires_at <= ${now}`,
    )
    return tx.query(
      sql<Expired>`
        select id, blob_sha256 from gateway_request_export
        where wrapped_key is null and blob_sha256 is not null limit ${slice}`,
    )
  })
  for (const { id, blob_sha256: blob } of expired) {
    await blobs.delete(tenantId, blob)
    await db.tenant({ tenantId }, (tx) =>
      tx.execute(sql`update gateway_request_export set blob_sha256 = null where id = ${id}`),
    )
  }
}

export const someExportsOver = ({ now, ago }: DueAt): SqlPart => sql`
  exists (
    select from gateway_request_export made
    where made.tenant_id = tenant.id and (
      (made.blob_sha256 is not null and (made.expires_at <= ${now} or made.status <> 'completed'))
      or (made.status in ('queued', 'running') and made.updated_at < ${ago(dayMs)})
      or (made.blob_sha256 is null and coalesce(made.expires_at, made.updated_at) < ${ago(rememberedDays * dayMs)})))`
