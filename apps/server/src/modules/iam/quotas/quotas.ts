import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Database, Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { errors } from '../errors/errors.ts'
import type { QuotasPatch, QuotaValues } from '../schemas/quotas.ts'

/** Quotas counted from this module's own rows. */
export type CountedQuota = 'users' | 'service_accounts' | 'api_keys'
export type CountedUsage = Readonly<Record<CountedQuota, number>>

/** Usage of a tenant at the given time (ISO). */
export function usageStatement(now: string): SqlPart<CountedUsage> {
  return sql<CountedUsage>`
    select
      (select count(*)::int from iam_user where type = 'human' and status not in ('deactivated', 'erased')) as users,
      (select count(*)::int from iam_user where type = 'service' and status not in ('deactivated', 'erased')) as service_accounts,
      (select count(*)::int from iam_api_key where revoked_at is null and expires_at > ${now}) as api_keys`
}

/**
 * Checks that one more fits, into the quotas of the tenant and of those above it and, of people, into the seats of the
 * license. Creations below a quota wait for each other, so that two cannot take one place.
 * @throws IAM-009
 */
export async function assertRoomFor(
  tx: Tx,
  quota: CountedQuota,
  now: string,
  seats: number | null = null,
): Promise<void> {
  const room = await roomFor(tx, { quota, now, seats })
  if (room !== null && room.left < 1) throw errors.quotaReached({ quota, limit: room.limit })
}

/**
 * Checks that so many people more fit, into the quota and into the seats of the license.
 * @throws IAM-009
 */
export async function assertRoomForPeople(
  tx: Tx,
  asked: { readonly count: number; readonly now: string; readonly seats: number | null },
): Promise<void> {
  const room = await roomFor(tx, { quota: 'users', now: asked.now, seats: asked.seats })
  if (room !== null && room.left < asked.count) throw errors.quotaReached({ quota: 'users', limit: room.limit })
}

interface Room {
  readonly limit: number
  readonly left: number
}

/** Combined usage of a tenant and all below it at the given time (ISO). */
export function subtreeUsageStatement(tenantId: string, now: string): SqlPart<CountedUsage> {
  return sql<CountedUsage>`
    select users, service_accounts, api_keys from iam_subtree_usage(${tenantId}::uuid, ${now}::timestamptz)`
}

interface Bounded {
  readonly id: string
  readonly quotas: QuotaValues
}

/**
 * The least room of the tenant and those above it, whose quotas count over all below them; null where nothing is bounded.
 * The caller locks the quotas until the end of the transaction.
 */
async function roomFor(
  tx: Tx,
  { quota, now, seats }: { readonly quota: CountedQuota; readonly now: string; readonly seats: number | null },
): Promise<Room | null> {
  const chain = await tx.query(sql<Bounded>`
    select above.id, above.quotas
    from iam_tenant t join iam_tenant above on above.id = any(t.path)
    where t.id = ${tx.tenantId}
    order by cardinality(above.path)`)
  const rooms: Room[] = []
  for (const { id, quotas } of chain) {
    const limits = [quotas[quota], quota === 'users' && id === tx.tenantId ? seats : null]
    const known = limits.filter((limit) => typeof limit === 'number')
    if (known.length === 0) continue
    const limit = Math.min(...known)
    await tx.lock('iam.quota', `${id}/${quota}`)
    const usage = await tx.first(subtreeUsageStatement(id, now))
    rooms.push({ limit, left: limit - (usage?.[quota] ?? 0) })
  }
  return rooms.reduce<Room | null>((least, room) => (least === null || room.left < least.left ? room : least), null)
}

/** Quotas of a tenant now, read outside of any transaction. */
export async function quotasOf(db: Pick<Database, 'read'>, tenantId: TenantId): Promise<QuotaValues> {
  const [row] = await db.read(
    tenantId,
    sql<{ quotas: QuotaValues }>`select quotas from iam_tenant where id = ${tenantId}`,
  )
  return row?.quotas ?? {}
}

const megabyte = 1_000_000

/** Bytes of files a tenant may have; null means unlimited. */
export async function storageLimit(db: Pick<Database, 'read'>, tenantId: TenantId): Promise<number | null> {
  const { storage_mb: most } = await quotasOf(db, tenantId)
  return most === undefined ? null : most * megabyte
}

export const megabytesOf = (bytes: number): number => Math.ceil(bytes / megabyte)

/** Lowest value each quota of a tenant may have. */
const least: Readonly<Record<keyof QuotaValues, number>> = {
  users: 0,
  service_accounts: 0,
  api_keys: 0,
  requests_per_minute: 1,
  llm_tokens_per_day: 0,
  storage_mb: 0,
  retention_days: 30,
}

/** A bound that is not shared out: each child may have what the parent has. */
const unshared: ReadonlySet<keyof QuotaValues> = new Set(['retention_days'])
const quotaNames = Object.keys(least) as readonly (keyof QuotaValues)[]

/**
 * The quotas of a new child: the requested values, at most what the parent has not given away. A quota not named gets
 * the whole remainder, and is unlimited below an unlimited parent.
 * @throws IAM-009
 */
export function childQuotas(wanted: QuotaValues, parent: QuotaValues, siblings: readonly QuotaValues[]): QuotaValues {
  const granted = quotaNames.flatMap((name): [string, number][] => {
    const bound = parent[name]
    const asked = wanted[name]
    if (bound === undefined) return asked === undefined ? [] : [[name, asked]]
    const given = unshared.has(name) ? 0 : siblings.reduce((sum, sibling) => sum + (sibling[name] ?? 0), 0)
    const left = Math.max(0, bound - given)
    if ((asked ?? least[name]) > left) throw errors.quotaReached({ quota: name, limit: left })
    return [[name, asked ?? left]]
  })
  return Object.fromEntries(granted)
}

/** RFC 7396: null takes a quota back. */
export function mergedQuotas(own: QuotaValues, patch: QuotasPatch): QuotaValues {
  return Object.fromEntries(Object.entries({ ...own, ...patch }).filter(([, value]) => value !== null))
}
