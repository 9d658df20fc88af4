/** Puts the parts of each point together: sums per currency, quantiles from their buckets. Tested in usage.test.ts. */
import { formatAmount } from '../prices/amounts.ts'
import { type Buckets, quantile } from './histogram.ts'
import type { Dimension, Group, Metric, UsagePoint, UsageTotals } from './usage-schemas.ts'
import type { CountRow, PlaceRow, TallyRow } from './usage-statements.ts'

export interface Parts {
  readonly counts: readonly CountRow[]
  readonly tallies: readonly TallyRow[]
}

export function pointsOf(parts: Parts, groupBy: readonly Dimension[], wanted: readonly Metric[]): UsagePoint[] {
  const tallies = byPlace(parts.tallies)
  return [...byPlace(parts.counts)].flatMap(([place, counts]) => {
    const [first] = counts
    if (first === undefined || first.at === null) return []
    const shown = totalsOf({ counts, tallies: tallies.get(place) ?? [] }, wanted)
    return [{ at: first.at, group: groupOf(first, groupBy), ...shown }]
  })
}

function byPlace<R extends PlaceRow>(rows: readonly R[]): ReadonlyMap<string, readonly R[]> {
  const places = new Map<string, R[]>()
  for (const row of rows) {
    const place = placeOf(row)
    const known = places.get(place)
    if (known === undefined) places.set(place, [row])
    else known.push(row)
  }
  return places
}

function placeOf(row: PlaceRow): string {
  const { at, provider, model, route, user, key, agent, tag, policy, decision, code } = row
  return JSON.stringify([at, provider, model, route, user, key, agent, tag, policy, decision, code])
}

function groupOf(row: PlaceRow, groupBy: readonly Dimension[]): Group {
  return Object.fromEntries(groupBy.map((dimension) => [dimension, row[dimension]]))
}

export function totalsOf({ counts, tallies }: Parts, wanted: readonly Metric[]): UsageTotals {
  const sum = (of: (row: CountRow) => number): number => counts.reduce((total, row) => total + of(row), 0)
  const requests = sum((row) => row.requests)
  const [input, output] = [sum((row) => row.input_tokens), sum((row) => row.output_tokens)]
  const make: { readonly [M in Metric]: () => UsageTotals } = {
    requests: () => ({ requests }),
    tokens: () => ({ tokens: { input, cached: sum((row) => row.cached_tokens), output, total: input + output } }),
    cost: () => ({ cost: perCurrency(counts, (row) => row.cost_nano) }),
    unpriced_requests: () => ({ unpriced_requests: sum((row) => row.unpriced_requests) }),
    blocked: () => ({ blocked: sum((row) => row.blocked) }),
    redacted: () => ({ redacted: sum((row) => row.redacted) }),
    flagged: () => ({ flagged: sum((row) => row.flagged) }),
    fail_open: () => ({ fail_open: sum((row) => row.fail_open) }),
    cache_saved: () => ({
      cache_saved: {
        requests: sum((row) => row.cache_hits),
        cost: perCurrency(counts, (row) => row.saved_nano),
      },
    }),
    latency: () => ({ latency_ms: quantilesOf(bucketsOf(tallies, 'latency')) }),
    ttft: () => ({ ttft_ms: quantilesOf(bucketsOf(tallies, 'ttft')) }),
    pipeline: () => ({
      pipeline_ms: { ...quantilesOf(bucketsOf(tallies, 'pipeline')), steps: stepsOf(tallies, requests) },
    }),
  }
  return Object.assign({}, ...wanted.map((metric) => make[metric]()))
}

/** Currencies in which nothing was paid are left out. */
function perCurrency(counts: readonly CountRow[], of: (row: CountRow) => string) {
  const sums = new Map<string, bigint>()
  for (const row of counts) {
    if (row.currency !== null) sums.set(row.currency, (sums.get(row.currency) ?? 0n) + BigInt(of(row)))
  }
  return [...sums]
    .filter(([, nano]) => nano !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, nano]) => ({ amount: formatAmount(nano), currency }))
}

export function bucketsOf(tallies: readonly Pick<TallyRow, 'name' | 'amount'>[], kind: string): Buckets {
  const prefix = `${kind}:`
  return new Map(
    tallies.flatMap(({ name, amount }) =>
      name.startsWith(prefix) ? [[Number(name.slice(prefix.length)), amount] as const] : [],
    ),
  )
}

export function quantilesOf(buckets: Buckets) {
  return { p50: quantile(buckets, 0.5), p95: quantile(buckets, 0.95), p99: quantile(buckets, 0.99) }
}

function stepsOf(tallies: readonly TallyRow[], requests: number): Readonly<Record<string, number>> {
  const prefix = 'step:'
  return Object.fromEntries(
    tallies.flatMap(({ name, amount }) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), Math.round(amount / Math.max(1, requests)) / 1000]] : [],
    ),
  )
}
