/**
 * Rare sequences of tools: surprise per step under the agent's own Markov chain, as the mean of ten steps, against half
 * a bit above the 99.9th percentile of earlier windows and never below 4 bits. Pure. Tested in detectors.test.ts.
 */
import { createMarkovChain, createTDigest, isRareSequence, restoreTDigest, windowMeans } from '@parapet/quant'
import type { Finding } from './finding.ts'
import { type BaselineState, isWarm } from './state.ts'

export const windowSteps = 10
/** Windows without which the percentile says nothing. */
const fewestWindows = 1_000
const percentile = 0.999
/** Bits above the percentile: an agent with many windows exceeds its own percentile every week. */
const margin = 0.5
/** Names of tools that the chain tells apart; all others are one. */
const mostNames = 200

export interface SequenceResult {
  readonly chain: BaselineState['chain']
  readonly windows: BaselineState['windows']
  readonly finding: Finding | null
}

/** @param sequences tool names of the hour in order, one list for each session */
export function judgeSequences(
  state: BaselineState,
  { hour, sequences }: { readonly hour: number; readonly sequences: readonly (readonly string[])[] },
): SequenceResult {
  if (sequences.length === 0) return { chain: state.chain, windows: state.windows, finding: null }
  const chain = createMarkovChain(state.chain)
  const digest = state.windows === null ? createTDigest() : restoreTDigest(state.windows)
  const names = new Set<string | null>()
  for (const [from, to] of state.chain.transitions) names.add(from).add(to)
  const isReady = isWarm(state, hour) && digest.count() >= fewestWindows
  const limit = isReady ? digest.quantile(percentile) + margin : Number.NaN
  let rarest = 0
  for (const sequence of sequences) {
    const bounded = sequence.map((name) => boundedName(names, name))
    const means = windowMeans(chain.surprise(bounded), windowSteps)
    for (const mean of means) {
      // A window that is not full says little: one unusual step is most of it.
      if (bounded.length + 1 >= windowSteps) rarest = Math.max(rarest, mean)
      digest.add(mean)
    }
    chain.learn(bounded)
  }
  const isRare = isReady && isRareSequence(rarest, limit)
  return {
    chain: chain.state(),
    windows: digest.state(),
    finding: isRare ? rareSequence(rarest, { limit, usual: digest.quantile(0.5), hour }) : null,
  }
}

function boundedName(names: Set<string | null>, name: string): string {
  if (names.has(name)) return name
  if (names.size >= mostNames) return 'other tools'
  names.add(name)
  return name
}

function rareSequence(
  bits: number,
  { limit, usual, hour }: { readonly limit: number; readonly usual: number; readonly hour: number },
): Finding {
  const threshold = Math.max(4, limit)
  return {
    ...{ detector: 'sequence', feature: 'tool_sequence', observed: bits, expected: usual, threshold },
    strength: Math.min(1, 0.35 + (bits - threshold) / 8),
    ...{ from: hour, to: hour + 1, baseline: 'own' },
  }
}
