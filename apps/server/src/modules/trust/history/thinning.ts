/**
 * Thins old history out: after 90 days the last snapshot of each hour stays, after 400 days the last of each day. The one
 * that stays takes over the extremes of those removed, so that a dip never vanishes. Snapshots that a person asked for,
 * or that a new configuration made, are never removed: audit entries and events name them. Each step is one transaction,
 * and a run that is broken off leaves nothing half done.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { SystemTx } from '../../../kernel/db/port.ts'
import { identifier, join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import type { TrustParts } from '../declared/parts.ts'
import { EXTREME_COLUMNS, SERIES, trustSnapshots } from '../declared/tables.ts'
import { bucketOf, bucketStart, hourlyDays, isoOf, rawDays } from './history-range.ts'

const msPerHour = 3_600_000
const msPerDay = 24 * msPerHour

/** Hours or days that are thinned out in one transaction. */
const slice = 100

const stages = [
  { widthMs: msPerHour, days: rawDays },
  { widthMs: msPerDay, days: hourlyDays },
] as const

/** Once a day, for tenants with snapshots old enough. */
export const thinningJob: JobDeclaration<TrustParts> = {
  kind: 'trust.thin_history',
  maxAttempts: 5,
  leaseMs: 60_000,
  everyMs: msPerDay,
  due: ({ ago }) => sql`exists (
    select from trust_snapshot old
    where old.tenant_id = tenant.id and old.created_at < ${ago(rawDays * msPerDay)})`,
  run: ({ tenantId, kernel, signal }) => thinHistory(kernel, tenantId, signal),
}

export async function thinHistory(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  tenantId: TenantId,
  signal: AbortSignal,
): Promise<void> {
  for (const { widthMs, days } of stages) {
    // Only buckets that have ended before the limit: none is thinned while half of it is still to be kept.
    const before = isoOf(bucketStart(clock.now() - days * msPerDay, widthMs))
    let removed = 1
    while (removed > 0) {
      signal.throwIfAborted()
      removed = await db.system('retention of trust history', (tx) => thinSlice(tx, { tenantId, widthMs, before }))
    }
  }
}

interface Slice {
  readonly tenantId: TenantId
  readonly widthMs: number
  /** ISO time. */
  readonly before: string
}

/** @returns the number of snapshots removed */
async function thinSlice(tx: SystemTx, part: Slice): Promise<number> {
  const crowded = await tx.query(sql<{ kept: string; removed: readonly string[]; bucket: string }>`
    select bucket, kept, array_agg(id) as removed from (${placed(part)}) p
    where id <> kept and trigger not in ('manual', 'config') and not held
    group by bucket, kept order by bucket limit ${slice}`)
  const removed = crowded.flatMap((one) => one.removed)
  if (removed.length === 0) return 0
  const kept = crowded.map((one) => one.kept)
  await tx.execute(sql`
    insert into trust_extreme (tenant_id, snapshot_id, ${columns})
    select ${part.tenantId}::uuid, kept, ${extremes} from (${placed(part)}) p
    where kept = any(${kept}::uuid[])
    group by kept
    on conflict (tenant_id, snapshot_id) do update set ${taken}`)
  const gone = sql`tenant_id = ${part.tenantId} and`
  await tx.execute(sql`delete from trust_extreme where ${gone} snapshot_id = any(${removed}::uuid[])`)
  return tx.execute(sql`delete from trust_snapshot where ${gone} id = any(${removed}::uuid[])`)
}

/** The old snapshots with the one that stays of their bucket, and the extremes that each stands for. */
function placed({ tenantId, widthMs, before }: Slice): SqlPart {
  const bucket = bucketOf(sql`s.created_at`, widthMs)
  return sql`
    select s.id, s.trigger, not ${notHeld(trustSnapshots, 's')} as held, ${bucket} as bucket,
      first_value(s.id) over (partition by ${bucket} order by s.created_at desc, s.id desc) as kept, ${known}
    from trust_snapshot s
    left join trust_extreme x on x.tenant_id = s.tenant_id and x.snapshot_id = s.id
    where s.tenant_id = ${tenantId} and s.created_at < ${before}`
}

const ofSeries = SERIES.map((name) => ({
  value: sql`s.${identifier(name)}`,
  low: identifier(`${name}_min`),
  high: identifier(`${name}_max`),
}))

const columns = join(EXTREME_COLUMNS.map(identifier), ', ')
const known = join(
  ofSeries.flatMap(({ value, low, high }) => [
    sql`coalesce(x.${low}, ${value}) as ${low}`,
    sql`coalesce(x.${high}, ${value}) as ${high}`,
  ]),
  ', ',
)
const extremes = join(
  ofSeries.flatMap(({ low, high }) => [sql`min(${low})`, sql`max(${high})`]),
  ', ',
)
const taken = join(
  EXTREME_COLUMNS.map((name) => sql`${identifier(name)} = excluded.${identifier(name)}`),
  ', ',
)
