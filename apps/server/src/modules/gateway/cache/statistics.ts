/**
 * Content and savings of the cache, computed from its rows and the hourly counts of calls; nothing is counted in
 * memory, so a restart loses nothing. Callers without `gateway:admin` or the auditor role see only their own calls.
 * Tested in cache-routes.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { formatAmount } from '../prices/amounts.ts'
import { visibleTo } from '../request-log/requests-filter.ts'
import type { CacheCounts, CacheQuery, CacheView } from '../schemas/cache.ts'

const hourMs = 3_600_000
const windowMs = { '1h': hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs, '30d': 720 * hourMs } as const

interface CountRow {
  readonly route: string | null
  readonly currency: string | null
  readonly hits: number
  readonly semantic_hits: number
  readonly joined: number
  readonly misses: number
  readonly saved_ms: number
  readonly saved_nano: string
}

type Shown = Omit<CacheView, 'settings'>

export async function cacheStatistics(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  { actor, query }: { readonly actor: Actor; readonly query: CacheQuery },
): Promise<Shown> {
  const since = clock.now() - windowMs[query.window ?? '24h']
  // Counts are per whole hour.
  const from = new Date(Math.floor(since / hourMs) * hourMs).toISOString()
  const [held, counts] = await Promise.all([readHeld(tx, actor, clock.iso()), readCounts(tx, actor, from)])
  const routes = new Set(counts.map(({ route }) => route))
  const by_route = [...routes].map((route) => ({
    route,
    ...countsOf(counts.filter((row) => row.route === route)),
  }))
  return { from, stats: { ...held, ...countsOf(counts) }, by_route }
}

interface Held {
  readonly entries: number
  readonly bytes: number
}

async function readHeld(tx: Tx, actor: Actor, now: string): Promise<Held> {
  const held = await tx.first(
    sql<Held>`
      select count(*)::int as entries, coalesce(sum(bytes), 0)::bigint as bytes
      from gateway_cache_entry
      where expires_at > ${now} and ${visibleTo(actor)}`,
  )
  return held ?? { entries: 0, bytes: 0 }
}

/** Index: the primary key, or (tenant_id, user_id, hour) for a caller's own. */
function readCounts(tx: Tx, actor: Actor, from: string): Promise<readonly CountRow[]> {
  const sum = (name: string) => sql`coalesce(sum((tallies ->> ${`cache:${name}`}::text)::bigint), 0)::bigint`
  return tx.query(
    sql<CountRow>`
      select route, currency, ${sum('hit')} as hits, ${sum('semantic')} as semantic_hits, ${sum('joined')} as joined,
        ${sum('miss')} as misses, ${sum('saved_ms')} as saved_ms, sum(saved_nano) as saved_nano
      from gateway_usage_cell
      where hour >= ${from} and ${visibleTo(actor)}
        and tallies ?| array['cache:hit', 'cache:semantic', 'cache:joined', 'cache:miss']
      group by route, currency
      order by route nulls first, currency`,
  )
}

function countsOf(rows: readonly CountRow[]): CacheCounts {
  const sum = (of: (row: CountRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const [hits, semantic_hits, joined, misses] = [
    sum((row) => row.hits),
    sum((row) => row.semantic_hits),
    sum((row) => row.joined),
    sum((row) => row.misses),
  ]
  const served = hits + semantic_hits + joined
  const asked = served + misses
  return {
    hits,
    semantic_hits,
    joined,
    misses,
    hit_rate: asked === 0 ? null : Math.round((served / asked) * 10_000) / 10_000,
    saved_cost: savedOf(rows),
    saved_ms: sum((row) => row.saved_ms),
  }
}

function savedOf(rows: readonly CountRow[]): CacheCounts['saved_cost'] {
  const sums = new Map<string, bigint>()
  for (const { currency, saved_nano: nano } of rows)
    if (currency !== null) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(nano))
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, nano]) => ({ amount: formatAmount(nano), currency }))
}
