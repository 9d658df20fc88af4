import type { Tx } from '../../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { PurgeCache, Purged } from '../../schemas/cache.ts'
import { purgeTopic } from './purges.ts'
import { fillLock, markPurged } from './statements.ts'

/**
 * Removes kept answers. From the commit on no instance serves them, and answers of calls that began before are not
 * stored; calls on another instance that already wait for one may still get it for up to a second. @throws API-001
 */
export async function purgeCache({ clock }: Pick<Kernel, 'clock'>, tx: Tx, selector: PurgeCache): Promise<Purged> {
  refuseUnclear(selector)
  await tx.lock(fillLock, tx.tenantId)
  await tx.execute(markPurged(clock.iso()))
  const gone = await tx.first(
    sql<{ entries: number; bytes: number }>`
      with gone as (delete from gateway_cache_entry where ${selected(clock, selector)} returning bytes)
      select count(*)::int as entries, coalesce(sum(bytes), 0)::bigint as bytes from gone`,
  )
  const purged = { purged_entries: gone?.entries ?? 0, purged_bytes: gone?.bytes ?? 0 }
  await tx.announce(purgeTopic, tx.tenantId)
  await tx.audit('gateway.cache.purge', { target: `cache:${tx.tenantId}`, after: { selector, ...purged } })
  return purged
}

function refuseUnclear({ all, ...narrowing }: PurgeCache): void {
  const names = Object.keys(narrowing)
  if (all === true && names.length > 0)
    throw unclear('`all` stands alone: it would purge more than the rest says.', '/all')
  if (all !== true && names.length === 0) throw unclear('Say what to purge; everything is `"all": true`.', '')
  if (narrowing.policy_version !== undefined && narrowing.policy_id === undefined)
    throw unclear('A version needs its `policy_id`.', '/policy_version')
}

function unclear(detail: string, pointer: string) {
  return apiErrors.validation({ what: detail }).at([{ detail, pointer }])
}

function selected({ now }: Kernel['clock'], selector: PurgeCache): SqlPart {
  const { route = null, model = null, key_id: key = null, user_id: user = null, request_id: request = null } = selector
  const { policy_id: policy = null, policy_version: version = null, older_than_seconds: age = null } = selector
  const before = age === null ? null : new Date(now() - age * 1000).toISOString()
  return sql`
    (${route}::text is null or route = ${route}::text)
    and (${model}::text is null or model = ${model}::text or provider || '/' || model = ${model}::text)
    and (${key}::text is null or key_id = ${key}::text)
    and (${user}::uuid is null or user_id = ${user}::uuid)
    and (${request}::text is null or request_id = ${request}::text or call_id::text = ${request}::text)
    and (${before}::timestamptz is null or created_at <= ${before}::timestamptz)
    and (${policy}::text is null or exists (
      select from unnest(policies) as source
      where split_part(source, '@', 1) = ${policy}::text
        and (${version}::int is null or split_part(source, '@', 2) = ${version}::int::text)))`
}
