import type { TenantId } from '../../../kernel/access/actor.ts'
import type { SqlPart } from '../../../kernel/db/sql.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt } from '../../../kernel/module/module.ts'

/** Rows per run; the next run comes within minutes. */
const slice = 100
const dayMs = 86_400_000
/** Days for which the record of a deleted file is kept. */
const rememberedDays = 30

type Sweeper = Pick<Kernel, 'db' | 'clock' | 'blobs'>

interface Expired {
  readonly id: string
  readonly blob_id: string
}

/** Removes the files of expired exports, and ends exports whose job was lost. */
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
        where blob_id is null and coalesce(expires_at, updated_at) < ${daysAgo(rememberedDays)}
          and status in ('completed', 'failed')`,
    )
    const over = await tx.query(
      sql<Expired>`
        select id, blob_id from gateway_request_export
        where blob_id is not null and expires_at <= ${now} limit ${slice} for update`,
    )
    for (const { id, blob_id: blob } of over) {
      await tx.execute(sql`update gateway_request_export set blob_id = null, updated_at = ${now} where id = ${id}`)
      await blobs.release(tx, blob)
    }
    return over
  })
  for (const { blob_id: blob } of expired) await blobs.discard(tenantId, blob)
}

export const someExportsOver = ({ now, ago }: DueAt): SqlPart => sql`
  exists (
    select from gateway_request_export made
    where made.tenant_id = tenant.id and (
      (made.blob_id is not null and (made.expires_at <= ${now} or made.status <> 'completed'))
      or (made.status in ('queued', 'running') and made.updated_at < ${ago(dayMs)})
      or (made.blob_id is null and coalesce(made.expires_at, made.updated_at) < ${ago(rememberedDays * dayMs)})))`
