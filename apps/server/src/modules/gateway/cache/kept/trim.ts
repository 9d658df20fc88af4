/**
 * Removes expired answers, superseded answers, and the oldest answers of a tenant over its size limit. Until the next
 * sweep, a tenant exceeds its bytes by at most one sixteenth times the number of instances. Tested in purge.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { type SqlPart, sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { DueAt } from '../../../../kernel/module/module.ts'
import { readSettings } from './settings.ts'

type Parts = Pick<Kernel, 'db' | 'clock'>

export const sweepEveryMs = 300_000

/** Rows per transaction. */
const slice = 1000

/** Sweep of one tenant: removes expired entries and entries over the size limit. */
export async function sweepCache(parts: Parts, tenantId: TenantId): Promise<void> {
  let gone = slice
  while (gone >= slice) {
    gone = await parts.db.tenant({ tenantId }, (tx) =>
      tx.execute(
        sql`
          delete from gateway_cache_entry
          where id in (
            select id from gateway_cache_entry where expires_at <= ${parts.clock.iso()} order by expires_at limit ${slice})`,
      ),
    )
  }
  await parts.db.tenant({ tenantId }, (tx) =>
    tx.execute(
      sql`
        delete from gateway_cache_entry older using gateway_cache_entry newer
        where newer.key = older.key and newer.created_at > older.created_at`,
    ),
  )
  const { settings } = await parts.db.tenant({ tenantId, readOnly: true }, readSettings)
  await trimCache(parts, tenantId, settings.max_bytes)
}

/** Removes the oldest answers beyond the bytes. Index: (tenant_id, created_at) including bytes. */
export async function trimCache({ db }: Pick<Kernel, 'db'>, tenantId: TenantId, maxBytes: number): Promise<void> {
  await db.tenant({ tenantId }, (tx) =>
    tx.execute(
      sql`
        delete from gateway_cache_entry
        where id in (
          select id from (
            select id, sum(bytes) over (order by created_at desc, id desc) as held from gateway_cache_entry) as aged
          where held > ${maxBytes})`,
    ),
  )
}

export interface Trimmer {
  /** Checks the total when a fraction of the limit has been added since the last check. */
  added(tenantId: TenantId, added: { readonly bytes: number; readonly maxBytes: number }): Promise<void>
}

/** Fraction (1/16) of a tenant's bytes that may be added without a check. */
const unseenPart = 16

export function createTrimmer(parts: Pick<Kernel, 'db'>): Trimmer {
  const unseen = new Map<TenantId, number>()
  return {
    added: async (tenantId, { bytes, maxBytes }) => {
      const sum = (unseen.get(tenantId) ?? 0) + bytes
      if (sum < maxBytes / unseenPart) return void unseen.set(tenantId, sum)
      unseen.delete(tenantId)
      await trimCache(parts, tenantId, maxBytes)
    },
  }
}

/** An entry has expired, or was added since two sweeps ago and may duplicate an older answer. */
export const someAnswersOver = ({ now, ago }: DueAt): SqlPart => sql`
  (exists (select from gateway_cache_entry kept where kept.tenant_id = tenant.id and kept.expires_at <= ${now})
  or exists (
    select from gateway_cache_entry kept
    where kept.tenant_id = tenant.id and kept.created_at > ${ago(2 * sweepEveryMs)}))`
