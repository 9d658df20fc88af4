/** A flag with how it is used: counts of the last days, and whether it has gone stale. */
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Flag, FlagFilter, FlagRow } from './schemas/flags.ts'
import { staleDays } from './settings.ts'
import { flags } from './tables.ts'

const dayMs = 86_400_000
/** Days that counts are added up over. */
const countedDays = 30
/** From this share of one variant on a flag decides nothing any more. */
const staleShare = 0.99

type ViewKernel = Pick<Kernel, 'clock' | 'settings'>

export async function listFlags(
  kernel: ViewKernel,
  tx: Tx,
  { page, filter }: { readonly page: PageRequest; readonly filter: FlagFilter },
): Promise<Page<Flag>> {
  const { status = null, tag = null, q = null, stale = null } = filter
  const where = sql`
    (${status}::text is null or status = ${status}::text)
    and (${tag}::text is null or ${tag}::text = any(tags))
    and (${q}::text is null or position(lower(${q}::text) in key) > 0)
    and (${stale}::boolean is null or ${staleIn(kernel, tx)} = ${stale}::boolean)`
  const found = await flags.page(tx, page, where)
  return { ...found, items: await withUse(kernel, tx, found.items) }
}

/** The same rule as `isStale`, for the database. */
function staleIn(kernel: ViewKernel, tx: Tx): SqlPart {
  const { unchangedSince, countedFrom } = cutoffs(kernel, tx)
  return sql`
    (coalesce(expires_at <= ${kernel.clock.iso()}::timestamptz, false)
    or (status = 'enabled' and updated_at <= ${unchangedSince}::timestamptz and coalesce((
      select max(n) >= ${staleShare}::float8 * sum(n) from (
        select sum(evaluations) as n from admin_flag_exposure e
        where e.flag_id = admin_flag.id and e.day >= ${countedFrom}::date group by e.variant) counted), false)))`
}

function cutoffs({ clock, settings }: ViewKernel, tx: Tx) {
  const daysAgo = (days: number): string => new Date(clock.now() - days * dayMs).toISOString()
  return {
    unchangedSince: daysAgo(settings.get(staleDays, tx.tenantId)),
    countedFrom: daysAgo(countedDays).slice(0, 10),
  }
}

interface Use {
  readonly flag_id: string
  readonly variant: string
  readonly count: number
  readonly last_at: string
}

export async function withUse(kernel: ViewKernel, tx: Tx, rows: readonly FlagRow[]): Promise<readonly Flag[]> {
  if (rows.length === 0) return []
  const { countedFrom, unchangedSince } = cutoffs(kernel, tx)
  const uses = await tx.query(
    sql<Use>`
      select flag_id, variant, sum(evaluations)::float8 as count, max(last_at) as last_at from admin_flag_exposure
      where flag_id = any(${rows.map(({ id }) => id)}::uuid[]) and day >= ${countedFrom}::date
      group by flag_id, variant order by variant`,
  )
  return rows.map((row) => {
    const { version: _version, ...shown } = row
    const own = uses.filter(({ flag_id }) => flag_id === row.id)
    return {
      ...shown,
      last_evaluated_at:
        own
          .map(({ last_at }) => last_at)
          .toSorted()
          .at(-1) ?? null,
      exposures: own.map(({ variant, count }) => ({ variant, count })),
      stale: isStale(row, { own, unchangedSince, now: kernel.clock.iso() }),
    }
  })
}

interface Staleness {
  readonly own: readonly Use[]
  readonly unchangedSince: string
  readonly now: string
}

function isStale({ status, expires_at, updated_at }: FlagRow, { own, unchangedSince, now }: Staleness): boolean {
  if (expires_at !== null && expires_at <= now) return true
  const total = own.reduce((sum, { count }) => sum + count, 0)
  const most = Math.max(0, ...own.map(({ count }) => count))
  return status === 'enabled' && updated_at <= unchangedSince && total > 0 && most >= staleShare * total
}
