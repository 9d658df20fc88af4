/** The statements of kept answers; the tenant comes from row-level security. */
import { shareLocks } from '../../../../kernel/db/locks.ts'
import { insertRows } from '../../../../kernel/db/rows.ts'
import { type Sql, type SqlPart, sql } from '../../../../kernel/db/sql.ts'
import type { SealedAnswer } from './entry.ts'
import { type CacheEntryRow, cacheEntries } from './tables.ts'

interface Life {
  readonly now: string
  /** Older answers exceed the caller's maximum age. */
  readonly notBefore: string
}

export type KeyedAnswer = SealedAnswer & { readonly key: string }

/**
 * The newest answer of each key, with one search of the index (tenant_id, key, created_at) per key: for all keys at
 * once, a planner without good statistics reads every answer that has not expired.
 */
export function newestOfKeys(keys: readonly string[], now: string): Sql<KeyedAnswer> {
  return sql<KeyedAnswer>`
    select newest.* from unnest(${keys}::text[]) as asked(key) cross join lateral (
      select key, id, provider, model, upstream_ms, created_at, sealed, told
      from gateway_cache_entry
      where key = asked.key and expires_at > ${now} and told is not null
      order by created_at desc limit 1) newest`
}

/** A row may become visible this many milliseconds after its timestamp; incremental reads overlap by this much. */
export const lateMs = 10_000

/** Rows of one page of keys. */
const keysPage = 20_000

export interface KeysPage {
  /** The first digits of each key, concatenated. */
  readonly prefixes: string
  readonly newest: string | null
  readonly isLast: boolean
}

/**
 * Index: (tenant_id, created_at). Returns a single text value, because separate rows would cost more than they save.
 */
export function keysSince(since: string, digits: number): Sql<KeysPage> {
  return sql<KeysPage>`
    select coalesce(string_agg(left(key, ${digits}::int), ''), '') as prefixes, max(created_at) as newest,
      count(*) < ${keysPage} as "isLast"
    from (
      select key, created_at from gateway_cache_entry where created_at >= ${since} order by created_at limit ${keysPage}) page`
}

export function answerOfId(id: string, { now, notBefore }: Life): Sql<SealedAnswer> {
  return sql<SealedAnswer>`
    select id, provider, model, upstream_ms, created_at, sealed, told
    from gateway_cache_entry
    where id = ${id} and expires_at > ${now} and created_at >= ${notBefore} and told is not null`
}

export interface SealedQuestion {
  readonly id: string
  readonly sealed_vector: Uint8Array
  readonly created_at: string
}

interface Newer {
  readonly since: string
  readonly most: number
}

/** Newest first. Index: (tenant_id, context, created_at). */
export function questionsOf(context: string, { since, most }: Newer): Sql<SealedQuestion> {
  return sql<SealedQuestion>`
    select id, sealed_vector, created_at
    from gateway_cache_entry
    where context = ${context} and created_at >= ${since} and sealed_vector is not null and told is not null
    order by created_at desc
    limit ${most}`
}

/** A purge takes it exclusively and inserts of answers share it, so no answer is stored while a purge runs. */
export const fillLock = 'gateway.cache.fill'

export interface Filled {
  readonly row: CacheEntryRow
  /** Unix milliseconds at which the call began. */
  readonly askedAtMs: number
}

/**
 * Under the insert-only role, for several tenants at once: inserts entries of questions asked after the tenant's last
 * purge.
 */
export function insertEntries(filled: readonly Filled[]): readonly Sql[] {
  const tenants = filled.map(({ row }) => row.tenant_id)
  return [shareLocks(fillLock, tenants), insertUnpurged(filled)]
}

function insertUnpurged(filled: readonly Filled[]): Sql {
  const rows = filled.map(({ row }) => row)
  const asked = {
    ids: rows.map(({ id }) => id),
    times: filled.map(({ askedAtMs }) => new Date(askedAtMs).toISOString()),
  }
  return sql`
    ${insertRows(cacheEntries, rows)}
    where not exists (
      select from gateway_cache_purge purge
      join unnest(${asked.ids}::uuid[], ${asked.times}::timestamptz[]) as asked (id, at) on asked.id = row.id
      where purge.tenant_id = row.tenant_id and purge.purged_at >= asked.at)`
}

export function markPurged(at: string): SqlPart {
  return sql`
    insert into gateway_cache_purge (purged_at) values (${at})
    on conflict (tenant_id) do update set purged_at = greatest(gateway_cache_purge.purged_at, excluded.purged_at)`
}
