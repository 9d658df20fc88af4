/**
 * Calls of an hour that are alike in everything that can be grouped by become one cell: counts, sums, and durations in
 * buckets. Pure; the handler in rollup.ts stores the cells made here. Tested in cells.test.ts.
 */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import { parseAmount } from '../prices/amounts.ts'
import type { RequestRow } from '../schemas/request.ts'
import { isFromCache } from '../words/cache-status.ts'
import { bucketOf } from './histogram.ts'

/** Members read from a log row. */
export interface CountedCall
  extends Pick<
    RequestRow,
    | 'offline'
    | 'provider'
    | 'model'
    | 'user_id'
    | 'key_id'
    | 'agent_id'
    | 'decision'
    | 'error_code'
    | 'tags'
    | 'policies'
    | 'usage'
    | 'cost'
    | 'timings'
    | 'steps'
    | 'fail_open'
    | 'cache'
  > {
  readonly hour: string
  readonly route: string | null
}

interface Dimensions {
  readonly hour: string
  readonly offline: boolean
  readonly provider: string | null
  readonly model: string | null
  readonly route: string | null
  readonly user_id: string
  readonly key_id: string | null
  readonly agent_id: string | null
  readonly decision: string
  readonly code: string | null
  readonly tags: readonly string[]
  readonly policies: readonly string[]
  readonly currency: string | null
}

interface Counts {
  requests: number
  input_tokens: number
  cached_tokens: number
  output_tokens: number
  unpriced_requests: number
  fail_open: number
  cache_hits: number
}

export interface Cell extends Dimensions, Readonly<Counts> {
  readonly key: string
  readonly cost_nano: string
  readonly saved_nano: string
  /** The part of the cost that was under a hard budget. */
  readonly budgeted_nano: string
  /**
   * Counts by `latency:<bucket>`, `ttft:<bucket>` and `pipeline:<bucket>`; microseconds by `step:<name>`; calls by
   * `cache:<status>`, and milliseconds by `cache:saved_ms`.
   */
  readonly tallies: Readonly<Record<string, number>>
}

export function cellsOf(calls: readonly CountedCall[]): readonly Cell[] {
  const cells = new Map<string, { readonly dimensions: Dimensions; readonly calls: CountedCall[] }>()
  for (const call of calls) {
    const dimensions = dimensionsOf(call)
    const key = canonicalHash(dimensions)
    const known = cells.get(key)
    if (known === undefined) cells.set(key, { dimensions, calls: [call] })
    else known.calls.push(call)
  }
  // In one order everywhere, so that two handlers never wait for each other.
  return [...cells].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, cell]) => counted(key, cell.dimensions, cell.calls))
}

function dimensionsOf(call: CountedCall): Dimensions {
  const { hour, offline, provider, model, user_id, key_id, agent_id, decision, cost } = call
  return {
    hour,
    offline,
    provider,
    model,
    route: call.route,
    user_id,
    key_id,
    agent_id,
    decision,
    code: call.error_code,
    tags: [...new Set(call.tags)].sort(),
    policies: call.policies.map(({ id }) => id).sort(),
    currency: cost.currency,
  }
}

function counted(key: string, dimensions: Dimensions, calls: readonly CountedCall[]): Cell {
  const count = (is: (call: CountedCall) => boolean): number => calls.filter(is).length
  const sum = (of: (call: CountedCall) => number): number => calls.reduce((total, call) => total + of(call), 0)
  const nano = (of: (call: CountedCall) => string | null | undefined): string =>
    String(calls.reduce((total, call) => total + parseAmount(of(call) ?? '0'), 0n))
  return Object.assign({}, dimensions, {
    key,
    requests: calls.length,
    input_tokens: sum(({ usage }) => usage?.prompt_tokens ?? 0),
    cached_tokens: sum(({ usage }) => usage?.cached_tokens ?? 0),
    output_tokens: sum(({ usage }) => usage?.completion_tokens ?? 0),
    unpriced_requests: count(({ cost }) => cost.status === 'unpriced'),
    fail_open: count(({ fail_open }) => fail_open.length > 0),
    cache_hits: count(({ cache }) => isFromCache(cache)),
    cost_nano: nano(({ cost }) => cost.amount),
    saved_nano: nano(({ cost }) => cost.saved),
    budgeted_nano: nano(({ cost }) => (cost.budgeted === true ? cost.amount : null)),
    tallies: talliesOf(calls),
  })
}

function talliesOf(calls: readonly CountedCall[]): Readonly<Record<string, number>> {
  const tallies = new Map<string, number>()
  const add = (name: string, amount: number): void => void tallies.set(name, (tallies.get(name) ?? 0) + amount)
  for (const { timings, steps, cache } of calls) {
    add(`latency:${bucketOf(timings.total_ms)}`, 1)
    add(`pipeline:${bucketOf(timings.pipeline_ms)}`, 1)
    if (cache !== 'off') add(`cache:${cache}`, 1)
    if (timings.saved_ms !== undefined) add('cache:saved_ms', Math.round(timings.saved_ms))
    if (timings.ttft_ms !== null) add(`ttft:${bucketOf(timings.ttft_ms)}`, 1)
    for (const { name, ms } of steps) add(`step:${name}`, Math.round(ms * 1000))
  }
  return Object.fromEntries(tallies)
}
