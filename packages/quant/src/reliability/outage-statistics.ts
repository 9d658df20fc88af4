import { createTDigest, restoreTDigest, type TDigest, type TDigestState } from '../statistics/t-digest.ts'
import type { OutageRecorder } from './outage-recorder.ts'
import { judgeObjective, type Verdict } from './verdict.ts'

/** Objectives of a service, in the time unit of the model; null without objective. */
export interface RecoveryObjective {
  readonly rto: number | null
  readonly rpo: number | null
  /** Probability with which RTO and RPO must be kept. */
  readonly level: number
}

/** Serialized statistics of one service: plain JSON. */
export interface ServiceOutages {
  readonly outages: number
  readonly unfinished: number
  readonly downTime: number
  readonly degradedTime: number
  readonly withinRto: number
  readonly losses: number
  readonly withinRpo: number
  readonly lengths: TDigestState
  readonly dataLosses: TDigestState
}

export interface Percentiles {
  readonly p50: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
}

export interface RecoverySummary {
  /** Finished outages. */
  readonly outages: number
  /** Share of the simulated time in which the service was up. */
  readonly availability: number
  readonly degradedShare: number
  /** Length of finished outages; null without any. */
  readonly rto: Percentiles | null
  readonly rpo: Percentiles | null
  /** Null without objective. */
  readonly rtoVerdict: Verdict | null
  readonly rpoVerdict: Verdict | null
}

/** Collects the outages of many runs; blocks of runs merge in the order of the blocks, whatever worker made them. */
export interface OutageStatistics {
  readonly recorder: OutageRecorder
  readonly state: () => readonly ServiceOutages[]
  readonly merge: (state: readonly ServiceOutages[]) => void
  /** @param time simulated time of all runs together */
  readonly summarize: (time: number) => readonly RecoverySummary[]
}

interface Counters {
  outages: number
  unfinished: number
  downTime: number
  degradedTime: number
  withinRto: number
  losses: number
  withinRpo: number
  readonly lengths: TDigest
  readonly dataLosses: TDigest
}

/** Creates empty statistics, one entry per service. */
export function createOutageStatistics(objectives: readonly RecoveryObjective[]): OutageStatistics {
  const all = objectives.map(emptyCounters)

  const recorder: OutageRecorder = {
    outage: (service, start, end, finished) => {
      const counters = all[service]
      if (counters === undefined) return
      const length = end - start
      counters.downTime += length
      if (!finished) counters.unfinished++
      else {
        counters.outages++
        counters.lengths.add(length)
        if (length <= (objectives[service]?.rto ?? Number.NEGATIVE_INFINITY)) counters.withinRto++
      }
    },
    degraded: (service, start, end) => {
      const counters = all[service]
      if (counters !== undefined) counters.degradedTime += end - start
    },
    dataLoss: (service, loss) => {
      const counters = all[service]
      if (counters === undefined) return
      counters.losses++
      counters.dataLosses.add(loss)
      if (loss <= (objectives[service]?.rpo ?? Number.NEGATIVE_INFINITY)) counters.withinRpo++
    },
  }

  return {
    recorder,
    state: () => all.map((each) => ({ ...each, lengths: each.lengths.state(), dataLosses: each.dataLosses.state() })),
    merge: (states) => {
      for (const [index, state] of states.entries()) {
        const counters = all[index]
        if (counters !== undefined) mergeInto(counters, state)
      }
    },
    summarize: (time) => all.map((each, index) => summary(each, objectives[index], time)),
  }
}

function emptyCounters(): Counters {
  return {
    outages: 0,
    unfinished: 0,
    downTime: 0,
    degradedTime: 0,
    withinRto: 0,
    losses: 0,
    withinRpo: 0,
    lengths: createTDigest(200),
    dataLosses: createTDigest(200),
  }
}

function mergeInto(counters: Counters, state: ServiceOutages): void {
  counters.outages += state.outages
  counters.unfinished += state.unfinished
  counters.downTime += state.downTime
  counters.degradedTime += state.degradedTime
  counters.withinRto += state.withinRto
  counters.losses += state.losses
  counters.withinRpo += state.withinRpo
  counters.lengths.merge(restoreTDigest(state.lengths))
  counters.dataLosses.merge(restoreTDigest(state.dataLosses))
}

function summary(counters: Counters, objective: RecoveryObjective | undefined, time: number): RecoverySummary {
  const { outages, losses, withinRto, withinRpo } = counters
  const level = objective?.level
  const verdict = (limit: number | null | undefined, within: number, trials: number) =>
    limit === null || limit === undefined ? null : judgeObjective(within, trials, level)
  return {
    outages,
    availability: 1 - counters.downTime / time,
    degradedShare: counters.degradedTime / time,
    rto: percentilesOf(counters.lengths),
    rpo: percentilesOf(counters.dataLosses),
    rtoVerdict: verdict(objective?.rto, withinRto, outages),
    rpoVerdict: verdict(objective?.rpo, withinRpo, losses),
  }
}

function percentilesOf(digest: TDigest): Percentiles | null {
  if (digest.count() === 0) return null
  return {
    p50: digest.quantile(0.5),
    p90: digest.quantile(0.9),
    p95: digest.quantile(0.95),
    p99: digest.quantile(0.99),
  }
}
