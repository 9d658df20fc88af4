/** From merged statistics to a result in the words of the API. Pure. */
import {
  createOutageStatistics,
  type RecoverySummary,
  restoreTDigest,
  type ServiceOutages,
  type Verdict,
} from '@parapet/quant'
import type { Estimate, ModelParts, Prediction } from '../declared/model-schema.ts'
import type { ServiceResult, SimulationResult } from '../declared/simulation-schema.ts'
import { type BlockResult, objectivesOf } from '../engine/simulate.ts'

const hoursPerYear = 8_760

export interface Simulated {
  readonly parts: ModelParts
  readonly horizonHours: number
  readonly runs: number
  /** In the order of the blocks. */
  readonly blocks: readonly BlockResult[]
}

export function resultOf({ parts, horizonHours, runs, blocks }: Simulated): SimulationResult {
  const statistics = createOutageStatistics(objectivesOf(parts))
  for (const { states } of blocks) statistics.merge(states)
  const hours = runs * horizonHours
  const summaries = statistics.summarize(hours * 60)
  const states = statistics.state()
  const services = parts.services.map((service, i): ServiceResult => {
    const [summary, state] = [summaries[i], states[i]]
    if (summary === undefined || state === undefined)
      throw new RangeError(`No statistics of the service ${service.key}`)
    const downHours = state.downTime / 60
    return {
      service: service.key,
      outages: state.outages + state.unfinished,
      outages_per_year: ((state.outages + state.unfinished) / hours) * hoursPerYear,
      availability: Math.min(1, Math.max(0, summary.availability)),
      degraded_share: Math.min(1, Math.max(0, summary.degradedShare)),
      rto: estimateOf(summary.rto, summary.rtoVerdict, summary.outages),
      rpo: estimateOf(summary.rpo, summary.rpoVerdict, state.losses),
      cost_per_year:
        service.cost_per_hour === undefined ? null : (downHours / hours) * hoursPerYear * service.cost_per_hour,
      histogram: histogramOf(state),
    }
  })
  return {
    services,
    ...verdictsOf(services),
    runs_done: runs,
    events: blocks.reduce((sum, { events }) => sum + events, 0),
    critical_path: [...(blocks[0]?.paths ?? [])],
    timeline: [...(blocks[0]?.timeline ?? [])],
  }
}

function estimateOf(figures: RecoverySummary['rto'], verdict: Verdict | null, n: number): Estimate | null {
  if (figures === null) return null
  return {
    ...{ evidence: 'simulation', age_days: 0, n },
    ...{ p50: figures.p50, p95: figures.p95, p99: figures.p99 },
    p_within: verdict?.share ?? null,
    interval: verdict === null ? null : { ...verdict.interval },
    verdict: verdict?.verdict ?? 'no_objective',
    further_trials: verdict?.furtherTrials ?? null,
  }
}

const bins = 20

/** Bins of equal probability: narrow where outages are frequent. */
function histogramOf({ lengths, outages }: ServiceOutages): ServiceResult['histogram'] {
  if (outages === 0) return null
  const digest = restoreTDigest(lengths)
  const edges = Array.from({ length: bins + 1 }, (_, i) => digest.quantile(i / bins))
  return edges.slice(1).map((to, i) => ({ from: edges[i] ?? 0, to, share: 1 / bins }))
}

/** Counts of verdicts on RTO and RPO, and the service with the least probability to keep its RTO. */
export function verdictsOf(services: readonly ServiceResult[]): Pick<SimulationResult, 'verdicts' | 'worst_service'> {
  const all = services.flatMap(({ rto, rpo }) => [rto?.verdict, rpo?.verdict])
  const count = (verdict: string): number => all.filter((each) => each === verdict).length
  const judged = services.flatMap(({ service, rto }) => (rto?.p_within == null ? [] : [{ service, p: rto.p_within }]))
  const worst = judged.reduce<(typeof judged)[number] | null>(
    (low, each) => (low === null || each.p < low.p ? each : low),
    null,
  )
  return {
    verdicts: { met: count('met'), not_met: count('not_met'), uncertain: count('uncertain') },
    worst_service: worst?.service ?? null,
  }
}

/** The result of the exact analysis in the same form. */
export function exactResultOf(
  { services }: ModelParts,
  predictions: ReadonlyMap<string, Prediction>,
): SimulationResult {
  const found = services.map(({ key, cost_per_hour: cost }): ServiceResult => {
    const prediction = predictions.get(key)
    const availability = prediction?.availability ?? null
    return {
      ...{ service: key, outages: 0, outages_per_year: 0, degraded_share: 0, histogram: null },
      availability,
      rto: prediction?.rto ?? null,
      rpo: prediction?.rpo ?? null,
      cost_per_year: cost === undefined || availability === null ? null : (1 - availability) * hoursPerYear * cost,
    }
  })
  return { services: found, ...verdictsOf(found), runs_done: 0, events: 0, critical_path: [], timeline: [] }
}
