/**
 * Statistics of each target in this instance: running calls, time to first content, failures. Promises bounded memory
 * and numbers of the last fifteen minutes; nothing is stored. Tested in traffic.test.ts.
 */
import type { Clock } from '../../../kernel/base/clock.ts'
import { createPeakEwma, type PeakEwma } from './peak-ewma.ts'

/** A stream's first content and a whole answer are not compared with each other. */
export type AnswerForm = 'stream' | 'whole'

export interface TargetStats {
  readonly inFlight: number
  /** Percentiles of the wait for the first content (of a whole answer: for the answer) in milliseconds; null without any. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly calls: number
  readonly failed: number
}

export interface Attempting {
  /** The first content came, or the whole answer. */
  answered(): void
  failed(): void
  /** Nothing more will come. Saying it twice changes nothing. */
  ended(): void
}

export interface Traffic {
  begin(key: string, form: AnswerForm): Attempting
  inFlight(key: string): number
  /** Expected wait with the calls already there; 0 while nothing is known. */
  expectedMs(key: string, form: AnswerForm): number
  p95Ms(key: string, form: AnswerForm): number | null
  /** Of the targets whose keys begin so. */
  statsUnder(prefix: string): readonly (TargetStats & { readonly key: string })[]
}

const rememberedMs = 15 * 60_000
const mostSamples = 200
/** Targets held at once; the one not used for the longest time leaves. */
const mostTargets = 5000

interface Sample {
  readonly atMs: number
  /** Null of an attempt that failed. */
  readonly ms: number | null
  readonly form: AnswerForm
}

interface Watched {
  inFlight: number
  samples: Sample[]
  readonly means: Readonly<Record<AnswerForm, PeakEwma>>
}

export function createTraffic(clock: Pick<Clock, 'monotonic'>): Traffic {
  const watched = new Map<string, Watched>()
  const recent = (key: string): readonly Sample[] => {
    const since = clock.monotonic() - rememberedMs
    return (watched.get(key)?.samples ?? []).filter(({ atMs }) => atMs >= since)
  }
  const keep = (key: string, one: Watched): void => {
    watched.delete(key)
    watched.set(key, one)
    const [oldest] = watched.keys()
    if (watched.size > mostTargets && oldest !== undefined) watched.delete(oldest)
  }
  return {
    begin: (key, form) => {
      const one = watched.get(key) ?? unseen()
      keep(key, one)
      return attempting(clock, one, form)
    },
    inFlight: (key) => watched.get(key)?.inFlight ?? 0,
    expectedMs: (key, form) => {
      const one = watched.get(key)
      if (one === undefined) return 0
      const mean = one.means[form].at(clock.monotonic())
      // An unmeasured target gets one probing call; the next ones wait for its result.
      return mean === 0 && one.inFlight > 0 ? unmeasuredMs * one.inFlight : mean * (one.inFlight + 1)
    },
    p95Ms: (key, form) => percentile(timesOf(recent(key).filter((sample) => sample.form === form)), 0.95),
    statsUnder: (prefix) => {
      const keys = [...watched.keys()].filter((key) => key.startsWith(prefix))
      return keys.map((key) => ({ key, ...statsOf(recent(key), watched.get(key)?.inFlight ?? 0) }))
    },
  }
}

const unmeasuredMs = 1000

function statsOf(samples: readonly Sample[], inFlight: number): TargetStats {
  const times = timesOf(samples)
  return {
    inFlight,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    calls: samples.length,
    failed: samples.filter(({ ms }) => ms === null).length,
  }
}

const unseen = (): Watched => ({
  inFlight: 0,
  samples: [],
  means: { stream: createPeakEwma(), whole: createPeakEwma() },
})

function attempting(clock: Pick<Clock, 'monotonic'>, one: Watched, form: AnswerForm): Attempting {
  const startedMs = clock.monotonic()
  let over = false
  one.inFlight += 1
  const note = (ms: number | null): void => {
    one.samples.push({ atMs: clock.monotonic(), ms, form })
    if (one.samples.length > mostSamples) one.samples = one.samples.slice(-mostSamples)
  }
  return {
    answered: () => {
      const now = clock.monotonic()
      one.means[form].observe(now - startedMs, now)
      note(now - startedMs)
    },
    failed: () => note(null),
    ended: () => {
      if (!over) one.inFlight -= 1
      over = true
    },
  }
}

const timesOf = (samples: readonly Sample[]): readonly number[] =>
  samples.flatMap(({ ms }) => (ms === null ? [] : [ms]))

/** Nearest rank. */
function percentile(times: readonly number[], share: number): number | null {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}
