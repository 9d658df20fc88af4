/**
 * Monte Carlo of a campaign: the attacker takes the steps of a chain in order, attempt by attempt; each takes time,
 * succeeds or not, and may be detected; the defender answers after some hours. Nothing is executed anywhere. Equal inputs
 * give equal results. Pure. Tested in simulate.test.ts.
 */
import { exp, log, normalQuantile, RandomStream, seedKey, wilsonInterval } from '@parapet/quant'
import type { CampaignInputs, CampaignResult, CampaignStep } from '../declared/campaign-schema.ts'

export interface CampaignRequest {
  readonly inputs: CampaignInputs
  readonly runs: number
  readonly seed: string
}

export interface Work {
  progress(fraction: number): void
  stopped(): boolean
}

/** Attempts at one step after which a run gives up. */
const mostAttempts = 10_000
/** Sigma of lognormal attempt times: a 95th percentile of about four times the median. */
const sigma = 0.85
const runsPerBlock = 4_096
const curvePoints = 60

interface StepTally {
  reached: number
  done: number
  failed: number
  attempts: number
}

/** Nothing where nobody waits any more. */
export function simulateCampaign({ inputs, runs, seed }: CampaignRequest, work: Work): CampaignResult | null {
  const [stream, key] = [new RandomStream(), seedKey(seed)]
  const tallies = inputs.chains.map(({ steps }) => steps.map(() => ({ reached: 0, done: 0, failed: 0, attempts: 0 })))
  const times: number[] = []
  let detected = 0
  for (let run = 0; run < runs; run += 1) {
    if (run % runsPerBlock === 0) {
      work.progress(run / runs)
      if (work.stopped()) return null
    }
    stream.seek(key, run, 7)
    const chain = chooseChain(inputs, stream)
    const outcome = runOnce(inputs, { chain, tallies: tallies[chain] ?? [], stream })
    if (outcome.goalAt !== null) times.push(outcome.goalAt)
    if (outcome.detected) detected += 1
  }
  return resultOf({ inputs, runs, tallies, times: times.sort((a, b) => a - b), detected })
}

function chooseChain({ chains }: CampaignInputs, stream: RandomStream): number {
  const total = chains.reduce((sum, { weight }) => sum + weight, 0)
  let rest = stream.uniform() * total
  for (const [index, { weight }] of chains.entries()) {
    rest -= weight
    if (rest <= 0) return index
  }
  return chains.length - 1
}

interface Run {
  readonly chain: number
  readonly tallies: readonly StepTally[]
  readonly stream: RandomStream
}

interface Outcome {
  /** Hours; null where the goal was not reached. */
  readonly goalAt: number | null
  /** Before the goal, the eviction or the horizon. */
  readonly detected: boolean
}

function runOnce(inputs: CampaignInputs, { chain, tallies, stream }: Run): Outcome {
  const steps = inputs.chains[chain]?.steps ?? []
  let [hours, evictedAt, detected] = [0, Number.POSITIVE_INFINITY, false]
  for (const [index, step] of steps.entries()) {
    const tally = tallies[index]
    if (tally !== undefined) tally.reached += 1
    for (let attempt = 0; ; attempt += 1) {
      hours += attemptHours(step, stream)
      const end = Math.min(inputs.horizon_hours, evictedAt)
      if (hours > end || attempt >= mostAttempts) {
        if (tally !== undefined) tally.failed += 1
        return { goalAt: null, detected }
      }
      if (tally !== undefined) tally.attempts += 1
      const succeeds = stream.uniform() < step.probability
      const seen = stream.uniform() < (succeeds ? step.detected_on_success : step.detected_on_failure)
      if (seen && !detected) {
        detected = true
        if (inputs.evicts) evictedAt = hours + inputs.response_hours
      }
      if (succeeds && hours <= evictedAt) break
    }
    if (tally !== undefined) tally.done += 1
  }
  return evictedAt <= hours ? { goalAt: null, detected } : { goalAt: hours, detected }
}

function attemptHours({ hours_law: law, mean_hours: mean }: CampaignStep, stream: RandomStream): number {
  const u = stream.uniform()
  if (law === 'exponential') return -log(u) * mean
  // exp(mu + sigma·z) with the mean of the step: mu = ln mean − sigma²/2.
  if (law === 'lognormal') return mean * exp(sigma * normalQuantile(u) - (sigma * sigma) / 2)
  return mean * triangular(u)
}

/** Triangular on 0.5 to 1.75 with the mode 0.75, whose mean is 1. */
function triangular(u: number): number {
  const [low, mode, high] = [0.5, 0.75, 1.75]
  const split = (mode - low) / (high - low)
  return u < split
    ? low + Math.sqrt(u * (high - low) * (mode - low))
    : high - Math.sqrt((1 - u) * (high - low) * (high - mode))
}

interface Tallied {
  readonly inputs: CampaignInputs
  readonly runs: number
  readonly tallies: readonly (readonly StepTally[])[]
  /** Ascending. */
  readonly times: readonly number[]
  readonly detected: number
}

function resultOf({ inputs, runs, tallies, times, detected }: Tallied): CampaignResult {
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0
  return {
    runs,
    p_goal: times.length / runs,
    p_goal_interval: wilsonInterval(times.length, runs),
    p_detected: detected / runs,
    ttc:
      times.length === 0
        ? null
        : {
            mean_hours: times.reduce((sum, hours) => sum + hours, 0) / times.length,
            ...{ p05: at(0.05), p50: at(0.5), p95: at(0.95) },
          },
    curve: curveOf(times, runs, inputs.horizon_hours),
    steps: stepsOf(inputs, tallies),
    coverage: coverageOf(inputs),
  }
}

function curveOf(times: readonly number[], runs: number, horizon: number): CampaignResult['curve'] {
  const end = Math.min(horizon, times.at(-1) ?? horizon)
  let counted = 0
  return Array.from({ length: curvePoints }, (_, index) => {
    const hours = (end * (index + 1)) / curvePoints
    while (counted < times.length && (times[counted] ?? 0) <= hours) counted += 1
    return { hours, p_goal: counted / runs }
  })
}

function stepsOf({ chains }: CampaignInputs, tallies: Tallied['tallies']): CampaignResult['steps'] {
  return chains
    .flatMap(({ steps }, chain) =>
      steps.map(({ name, technique }, step) => {
        const { reached = 0, done = 0, failed = 0, attempts = 0 } = tallies[chain]?.[step] ?? {}
        const mean = reached === 0 ? 0 : attempts / reached
        return { chain, step, name, technique, reached, done, failed_here: failed, attempts_mean: mean }
      }),
    )
    .slice(0, 1000)
}

function coverageOf({ chains }: CampaignInputs): CampaignResult['coverage'] {
  const covered = new Map<string, boolean>()
  for (const { technique, covered: isCovered } of chains.flatMap(({ steps }) => steps))
    if (technique !== null) covered.set(technique, isCovered || (covered.get(technique) ?? false))
  const uncovered = [...covered].filter(([, isCovered]) => !isCovered).map(([technique]) => technique)
  return { techniques: covered.size, covered: covered.size - uncovered.length, uncovered: uncovered.sort() }
}
