/** Counts of one version of a guardrail in one minute. Pure. Tested in recorder.test.ts. */
import type { MetricCounts } from '../declared/metrics-schema.ts'
import type { GuardrailAction } from '../declared/words.ts'
import type { Asked } from '../engine/evaluate.ts'

export interface Cell {
  readonly tenantId: string
  readonly guardrailId: string
  readonly version: number
  /** Minutes since 1970. */
  readonly minute: number
  readonly counts: { -readonly [K in keyof MetricCounts]: number }
  /** Place n counts evaluations below 2^n microseconds, of the lowest n that fits. */
  readonly durations: number[]
}

/** Places of the histogram: the last one begins at a second. */
export const places = 21

function cellOf(tenantId: string, { guardrailId, version }: Asked, atMs: number): Cell {
  const counts = { evaluated: 0, matched: 0, would_block: 0, blocked: 0, redacted: 0, held: 0, errors: 0 }
  const minute = Math.floor(atMs / 60_000)
  return { tenantId, guardrailId, version, minute, counts, durations: Array.from({ length: places }, () => 0) }
}

const blocking: ReadonlySet<GuardrailAction> = new Set(['deny', 'quarantine_agent', 'kill_session'])

export interface Counting {
  readonly tenantId: string
  readonly atMs: number
}

/** Adds one evaluation to its cell. */
export function tally(cells: Map<string, Cell>, { tenantId, atMs }: Counting, asked: Asked): void {
  const key = `${tenantId}|${asked.guardrailId}|${asked.version}|${Math.floor(atMs / 60_000)}`
  let cell = cells.get(key)
  if (cell === undefined) {
    cell = cellOf(tenantId, asked, atMs)
    cells.set(key, cell)
  }
  const { counts, durations } = cell
  const { matched, enforced, failed, action, us } = asked
  counts.evaluated += 1
  if (matched) counts.matched += 1
  if (failed) counts.errors += 1
  const counted = matched || (failed && action === 'deny')
  if (counted && blocking.has(action)) counts[enforced ? 'blocked' : 'would_block'] += 1
  if (matched && enforced && (action === 'redact' || action === 'transform')) counts.redacted += 1
  if (matched && enforced && action === 'hold') counts.held += 1
  const place = Math.min(places - 1, Math.max(0, Math.ceil(Math.log2(Math.max(1, us)))))
  durations[place] = (durations[place] ?? 0) + 1
}

/** Puts cells back beside the counts made meanwhile. */
export function mergeCells(into: Map<string, Cell>, cells: readonly (readonly [string, Cell])[]): void {
  for (const [key, cell] of cells) {
    const known = into.get(key)
    if (known === undefined) into.set(key, cell)
    else {
      for (const name of Object.keys(cell.counts) as (keyof MetricCounts)[]) known.counts[name] += cell.counts[name]
      for (const [place, count] of cell.durations.entries())
        known.durations[place] = (known.durations[place] ?? 0) + count
    }
  }
}

/** Microseconds below which the share of evaluations stays, as a power of two; null without any. */
export function quantile(durations: readonly number[], share: number): number | null {
  const total = durations.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  for (const [place, count] of durations.entries()) {
    seen += count
    if (seen >= total * share) return 2 ** place
  }
  return 2 ** (durations.length - 1)
}
