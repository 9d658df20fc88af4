/**
 * Whether model calls have moved a term of the gateway far enough to score again at once. Every call moves a share a
 * little, and a busy tenant makes hundreds a second, so most calls must cost no look at the evidence at all.
 */
import type { DecayConfig } from './config.ts'
import type { SignalInput } from './evidence.ts'
import { FULL_SCORE, type Hundredths } from './fixed-point.ts'
import { instant } from './instant.ts'
import { readSignal } from './signal-score.ts'
import { SIGNAL_IDS, SIGNALS, type SignalId } from './signals.ts'
import { PRIOR_OBSERVATIONS } from './small-sample.ts'

/** Half a point of a term. */
const worthARun: Hundredths = 50

/** Terms that are shares of calls; the others do not move because a call was made. */
const callTerms: ReadonlySet<SignalId> = new Set(['enforced', 'fail_open', 'protected', 'budgeted'])

const gatewayTerms = SIGNAL_IDS.filter((id) => SIGNALS[id].source === 'gateway')

export interface TermsOfCalls {
  readonly before: readonly SignalInput[]
  readonly now: readonly SignalInput[]
  readonly config: DecayConfig
  /** RFC 3339. */
  readonly at: string
}

/** Whether a term is worth half a point more or less now than with the last run's evidence. */
export function gatewayMoved(terms: TermsOfCalls): boolean {
  return gatewayTerms.some((id) => moveOf(id, terms) >= worthARun)
}

/**
 * Calls after which a term may have moved by half a point. k calls move a share of n by at most k / (n + κ + k), whatever
 * they were, so fewer cannot; evidence that has aged counts anew with the next call.
 */
export function callsUntilMove(terms: TermsOfCalls): number {
  const needed = gatewayTerms.filter((id) => callTerms.has(id)).map((id) => callsNeeded(id, terms))
  return Math.min(...needed)
}

function callsNeeded(id: SignalId, terms: TermsOfCalls): number {
  const { value, effective, n } = reading(id, terms.now, terms)
  const aged = value === null ? 0 : Math.abs(value - effective)
  // Both values were rounded, each by half a hundredth at most.
  const left = worthARun - moveOf(id, terms) - aged - 1
  if (left <= 0) return 1
  return Math.max(1, Math.ceil((left * ((n ?? 0) + PRIOR_OBSERVATIONS)) / (FULL_SCORE - left)))
}

function moveOf(id: SignalId, terms: TermsOfCalls): Hundredths {
  return Math.abs(reading(id, terms.now, terms).effective - reading(id, terms.before, terms).effective)
}

function reading(id: SignalId, signals: readonly SignalInput[], { config, at }: TermsOfCalls) {
  const input = signals.find((signal) => signal.id === id)
  return readSignal(id, input, { config, at: instant(at) })
}
