import { createMarkovChain, createTDigest, median, medianAbsoluteDeviation, restoreTDigest } from '@parapet/quant'
import type { Tx } from '../../../kernel/db/port.ts'
import { agents } from '../agents/tables.ts'
import { type Feature, features, noTotals, type Totals, unitOf, unscaled } from './engine/features.ts'
import { fewestPeers } from './engine/peers.ts'
import { type BaselineState, type Bucket, emptyState, isWarm, type Ring, warmUp } from './engine/state.ts'
import { mixOf } from './engine/tool-mix.ts'
import { hourMs } from './hours.ts'
import { countPeers } from './peers.ts'
import type { Baseline, BaselineQuery } from './schema.ts'
import { findState, readBuckets } from './store.ts'

/** @throws API-013 */
export async function readBaseline(tx: Tx, agentId: string, query: BaselineQuery): Promise<Baseline> {
  const agent = await agents.need(tx, agentId)
  const stored = await findState(tx, agentId)
  const buckets = await readBuckets(tx, agentId)
  const until = agent.scored_until
  const hour = until === null ? 0 : Math.floor(Date.parse(until) / hourMs)
  const state = stored ?? emptyState(hour)
  const wanted = features.filter((feature) => query.feature === undefined || feature === query.feature)
  return {
    agent_id: agentId,
    ready: stored !== null && isWarm(state, hour),
    warm_up: {
      since: stored === null ? until : new Date(state.since * hourMs).toISOString(),
      scored_until: until,
      ...{ days: Math.max(0, hour - state.since) / 24, days_needed: warmUp.days },
      ...{ calls: state.totals.calls, calls_needed: warmUp.calls, values_needed_in_bucket: warmUp.valuesInBucket },
      ...{ peers: await countPeers(tx, agent, hour), peers_needed: fewestPeers },
    },
    features: wanted.map((feature) => ({
      feature,
      buckets: bucketViews(buckets, feature, stored === null ? noTotals : state.totals),
    })),
    ...toolViews(state, { hour, days: query.days ?? 28 }),
  }
}

const madScale = 1.4826
const singleLimit = 6

function bucketViews(buckets: ReadonlyMap<number, Bucket>, feature: Feature, totals: Totals) {
  return [...buckets].flatMap(([number, bucket]) => {
    const ring: Ring = bucket[feature] ?? []
    if (ring.length === 0) return []
    const sample = ring.map(([, y]) => y)
    const [middle, unit] = [median(sample), unitOf(feature, totals)]
    const limit = middle + singleLimit * Math.max(1, madScale * medianAbsoluteDeviation(sample))
    const isScored = ring.length >= warmUp.valuesInBucket && feature !== 'error_ratio'
    return [
      {
        day: number < 24 ? ('weekday' as const) : ('weekend' as const),
        hour: number % 24,
        values: ring.length,
        median: unscaled(feature, middle, unit),
        // The limit of a ratio depends on the calls of the hour.
        fires_above: isScored ? unscaled(feature, limit, unit) : null,
      },
    ]
  })
}

const mostTransitions = 50

function toolViews(state: BaselineState, { hour, days }: { readonly hour: number; readonly days: number }) {
  const mix = mixOf(state.toolDays.filter(({ day }) => day >= Math.floor(hour / 24) - days))
  const all = [...mix.values()].reduce((sum, calls) => sum + calls, 0)
  const chain = createMarkovChain(state.chain)
  const digest = state.windows === null ? createTDigest() : restoreTDigest(state.windows)
  const isEmpty = digest.count() === 0
  return {
    tool_mix: [...mix]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 200)
      .map(([tool, calls]) => ({ tool, calls, share: calls / all })),
    transitions: state.chain.transitions
      .toSorted(([, , a], [, , b]) => b - a)
      .slice(0, mostTransitions)
      .map(([from, to, count]) => ({ from, to, count, probability: chain.probability(from, to) })),
    sequence: {
      windows: Math.round(digest.count()),
      median_bits: isEmpty ? null : digest.quantile(0.5),
      fires_above_bits: isEmpty ? null : Math.max(4, digest.quantile(0.999) + 0.5),
    },
  }
}
