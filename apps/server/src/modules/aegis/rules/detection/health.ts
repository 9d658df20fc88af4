/** How rules do: counts, and durations by powers of two. Tested in health.test.ts and detection.http.test.ts. */
import type { Tx } from '../../../../kernel/db/port.ts'
import { insertRows } from '../../../../kernel/db/rows.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { HealthRow } from '../declared/schema.ts'
import { ruleHealth } from '../declared/tables.ts'
import type { LiveRule } from './cache.ts'

/** Up to 2^20 microseconds, about a second. */
const places = 21

/** Evaluations after which older ones count half, so that a rule is judged by how it is now. */
const mostMeasured = 100_000

type Count = Omit<HealthRow, 'tenant_id' | 'rule_id' | 'groups'>

const nothing = (): { -readonly [K in keyof Count]: Count[K] } => ({
  ...{ events: 0, matches: 0, late: 0, errors: 0, last_match_at: null },
  durations: Array<number>(places).fill(0),
})

/** Counts one batch. */
export function createTally() {
  const counts = new Map<string, ReturnType<typeof nothing>>()
  const of = ({ id }: Pick<LiveRule, 'id'>) => {
    const known = counts.get(id) ?? nothing()
    counts.set(id, known)
    return known
  }
  return {
    observe: (rule: LiveRule, ms: number, undecided: boolean): void => {
      const count = of(rule)
      const place = placeOf(ms * 1_000)
      count.events += 1
      count.durations[place] = (count.durations[place] ?? 0) + 1
      if (undecided) count.errors += 1
    },
    late: (rule: LiveRule): void => {
      of(rule).late += 1
    },
    hit: (rule: LiveRule, at: string): void => {
      const count = of(rule)
      count.matches += 1
      count.last_match_at = at
    },
    /** Adds the counts to those that are stored, and gives them as they are then. */
    save: (tx: Tx, grown: ReadonlyMap<string, number>): Promise<readonly HealthRow[]> => save(tx, counts, grown),
  }
}

/** Place of a duration in microseconds. */
const placeOf = (us: number): number => Math.min(places - 1, Math.max(0, Math.ceil(Math.log2(Math.max(us, 1)))))

async function save(
  tx: Tx,
  counts: ReadonlyMap<string, Count>,
  grown: ReadonlyMap<string, number>,
): Promise<readonly HealthRow[]> {
  if (counts.size === 0) return []
  const stored = await tx.query(sql<HealthRow>`
    select ${ruleHealth.columns} from aegis_rule_health where rule_id = any(${[...counts.keys()]}::uuid[])`)
  const before = new Map(stored.map((row) => [row.rule_id, row]))
  const rows = [...counts].map(([id, count]): HealthRow => {
    const known = before.get(id)
    return {
      tenant_id: tx.tenantId,
      rule_id: id,
      events: (known?.events ?? 0) + count.events,
      matches: (known?.matches ?? 0) + count.matches,
      late: (known?.late ?? 0) + count.late,
      errors: (known?.errors ?? 0) + count.errors,
      groups: (known?.groups ?? 0) + (grown.get(id) ?? 0),
      durations: summed(known?.durations ?? [], count.durations),
      last_match_at: count.last_match_at ?? known?.last_match_at ?? null,
    }
  })
  await storeHealth(tx, rows)
  return rows
}

export async function storeHealth(tx: Tx, rows: readonly HealthRow[]): Promise<void> {
  await tx.execute(sql`${insertRows(ruleHealth, rows)}
    on conflict (tenant_id, rule_id) do update set
      events = excluded.events, matches = excluded.matches, late = excluded.late, errors = excluded.errors,
      groups = excluded.groups, durations = excluded.durations, last_match_at = excluded.last_match_at`)
}

function summed(before: readonly number[], more: readonly number[]): number[] {
  const all = more.map((count, place) => count + (before[place] ?? 0))
  const total = all.reduce((sum, count) => sum + count, 0)
  return total > mostMeasured ? all.map((count) => Math.floor(count / 2)) : all
}

/** Microseconds that 99 of 100 evaluations stay below, as a power of two; null before there are a hundred. */
export function p99Of(durations: readonly number[]): number | null {
  const total = durations.reduce((sum, count) => sum + count, 0)
  if (total < 100) return null
  let seen = 0
  for (const [place, count] of durations.entries()) {
    seen += count
    if (seen >= total * 0.99) return 2 ** place
  }
  return null
}
