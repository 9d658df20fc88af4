/**
 * Synthetic traffic of an agent, for tests and benchmarks of the detectors: negative-binomial hours with the shape of an
 * office week, tools by a Markov chain, and now and then an error. Equal seeds give equal traffic.
 */
import { RandomStream, seedKey } from '@parapet/quant'
import type { HourInput } from '../engine/score-hour.ts'

export interface Traffic {
  /** Calls in the busiest hour, on average. */
  readonly mean: number
  /** Shape of the negative binomial: variance is `μ + μ²/shape`. */
  readonly shape: number
  readonly tools: number
}

export interface TrafficSource {
  readonly traffic: Traffic
  /** @param factor multiplies the calls of the hour */
  next(hour: number, factor?: number): HourInput
  /** Mean calls of an hour. */
  expected(hour: number): number
}

/** Share of the busiest hour by the hour of a working day. */
const office = [
  ...[0.1, 0.1, 0.1, 0.1, 0.1, 0.15, 0.2, 0.4, 0.7, 0.9, 1, 1],
  ...[0.9, 0.9, 1, 1, 0.9, 0.7, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1],
]
const weekendShare = 0.3

export function createTraffic(seed: number, agent: number): TrafficSource {
  const random = new RandomStream().seek(seedKey(String(seed)), agent, 0)
  const traffic: Traffic = {
    mean: 10 ** (1 + 1.3 * random.uniform()),
    shape: 4 + 16 * random.uniform(),
    tools: 3 + Math.floor(6 * random.uniform()),
  }
  const chain = chainOf(random, traffic.tools)
  const expected = (hour: number): number => {
    const weekday = Math.floor(hour / 24 + 4) % 7
    const share = weekday === 0 || weekday === 6 ? weekendShare : 1
    return traffic.mean * share * (office[hour % 24] ?? 0)
  }
  return {
    traffic,
    expected,
    next: (hour, factor = 1) => {
      const calls = poisson(random, gamma(random, traffic.shape) * ((factor * expected(hour)) / traffic.shape))
      return hourOf(random, { hour, calls, chain })
    },
  }
}

type Chain = readonly (readonly number[])[]

/** Of each tool (the first is the start) the cumulative probabilities of the next; steep, as plans are. */
function chainOf(random: RandomStream, tools: number): Chain {
  return Array.from({ length: tools + 1 }, () => {
    const weights = Array.from({ length: tools }, () => gamma(random, 0.4) + 0.01)
    const sum = weights.reduce((all, weight) => all + weight, 0)
    let reached = 0
    return weights.map((weight) => {
      reached += weight / sum
      return reached
    })
  })
}

const stepsOfSession = 12
const errorShare = 0.02

function hourOf(
  random: RandomStream,
  { hour, calls, chain }: { readonly hour: number; readonly calls: number; readonly chain: Chain },
): HourInput {
  const sequences: string[][] = []
  const tools = new Map<string, number>()
  let [errors, tokensIn, tokensOut, bytes, state] = [0, 0, 0, 0, 0]
  for (let call = 0; call < calls; call += 1) {
    if (call % stepsOfSession === 0) {
      sequences.push([])
      state = 0
    }
    const drawn = random.uniform()
    state = 1 + (chain[state] ?? []).findIndex((reached) => drawn <= reached)
    const name = `local/tool-${state}`
    sequences.at(-1)?.push(name)
    tools.set(name, (tools.get(name) ?? 0) + 1)
    if (random.uniform() < errorShare) errors += 1
    tokensIn += 800 * gamma(random, 2)
    tokensOut += 200 * gamma(random, 2)
    bytes += 1_000 * gamma(random, 1)
  }
  const values = {
    ...{ calls, tokens_in: tokensIn, tokens_out: tokensOut, cost: (tokensIn + 4 * tokensOut) / 1e6 },
    ...{ error_ratio: calls === 0 ? 0 : errors / calls, distinct_tools: tools.size, distinct_destinations: 0 },
    ...{ bytes_out: bytes, denied: 0, median_gap: null },
  }
  return { hour, values, tools: Object.fromEntries(tools), sequences, firstUses: [] }
}

/** Marsaglia and Tsang (2000); below shape 1 by Johnk's boost. */
function gamma(random: RandomStream, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * random.uniform() ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal(random)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(random.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}

function normal(random: RandomStream): number {
  return Math.sqrt(-2 * Math.log(random.uniform())) * Math.cos(2 * Math.PI * random.uniform())
}

function poisson(random: RandomStream, mean: number): number {
  if (mean > 500) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)))
  const limit = Math.exp(-mean)
  let [count, product] = [0, random.uniform()]
  while (product > limit) {
    count += 1
    product *= random.uniform()
  }
  return count
}
