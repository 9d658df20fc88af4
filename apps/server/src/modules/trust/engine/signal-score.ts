import type { DecayConfig } from './config.ts'
import { curveOf, type DecayCurve, freshness } from './decay.ts'
import { eventScore } from './events-penalty.ts'
import { hasEvidence, type SignalInput } from './evidence.ts'
import {
  divideHalfUp,
  FULL_SCORE,
  type Hundredths,
  type Millionths,
  ONE_MILLION,
  toHundredths,
  toMillionths,
} from './fixed-point.ts'
import { daysBetween, instant } from './instant.ts'
import { SIGNALS, type SignalId } from './signals.ts'
import { sampleReliance, smallSampleScore } from './small-sample.ts'

/** One signal at one moment, in integers. */
export interface SignalReading {
  readonly id: SignalId
  /** `null` = no evidence. */
  readonly value: Hundredths | null
  readonly n: number | null
  readonly observedAt: string | null
  readonly ageDays: number | null
  readonly freshness: Millionths
  /** The signal's value after ageing. */
  readonly effective: Hundredths
  /** Its value if every missing or decayed share were worth 0, and 100. */
  readonly lowest: Hundredths
  readonly highest: Hundredths
  /** Freshness times what the sample size can carry. */
  readonly confidence: Millionths
  readonly sourceRef: string | null
}

/** Reads a signal at a moment (milliseconds since 1970); `input` is undefined for one never delivered. */
export function readSignal(
  id: SignalId,
  input: SignalInput | undefined,
  { config, at }: { readonly config: DecayConfig; readonly at: number },
): SignalReading {
  const curve = curveFor(id, config)
  const value = input === undefined || !hasEvidence(input) ? null : measuredValue(input, curve, at)
  const observed = input?.observed_at ?? null
  const ageDays = observed === null ? null : daysBetween(instant(observed), at)
  const fresh = freshnessOf(value, ageDays, curve)
  const n = input?.n ?? null
  return {
    id,
    value,
    n,
    observedAt: observed,
    ageDays,
    freshness: fresh,
    effective: effectiveValue(value, fresh, agingOf(config)),
    lowest: blend(value ?? 0, 0, fresh),
    highest: blend(value ?? 0, FULL_SCORE, fresh),
    confidence: divideHalfUp(fresh * sampleReliance(n), ONE_MILLION),
    sourceRef: input?.source_ref ?? null,
  }
}

/** Freshness of a value in millionths: 0 where there is no value or its age is unknown. */
export function freshnessOf(value: Hundredths | null, ageDays: number | null, curve: DecayCurve): Millionths {
  return value === null || ageDays === null ? 0 : toMillionths(freshness(curve, ageDays))
}

/** How the values of a configuration age: toward which prior, and whether a bad one does. */
export interface Aging {
  readonly prior: Hundredths
  readonly stale: DecayConfig['stale_bad_evidence']
}

export function agingOf(config: DecayConfig): Aging {
  return { prior: toHundredths(config.prior), stale: config.stale_bad_evidence }
}

/**
 * Effective value in hundredths, `prior + (value - prior) * freshness`. A value below the prior stays what it is
 * under `hold`: bad news does not heal by being left alone, only by a new test. No value is the prior.
 */
export function effectiveValue(value: Hundredths | null, fresh: Millionths, { prior, stale }: Aging): Hundredths {
  if (value === null) return prior
  return value < prior && stale === 'hold' ? value : blend(value, prior, fresh)
}

/**
 * The decay curve of a signal. Its own half-life sets aside the lifetime and the steps of the pillar, which were
 * written for the pillar's half-life; the grace stays.
 */
export function curveFor(id: SignalId, config: DecayConfig): DecayCurve {
  const own = config.signals[id]
  const pillar = config.pillars[SIGNALS[id].pillar]
  const model = own.decay_model ?? config.decay_model
  const graceDays = pillar.grace_days ?? 0
  if (own.half_life_days !== undefined) return { ...curveOf(model, own.half_life_days), graceDays }
  const curve = curveOf(model, pillar.half_life_days)
  return {
    ...curve,
    graceDays,
    lifetimeDays: pillar.lifetime_days ?? curve.lifetimeDays,
    steps: pillar.steps ?? curve.steps,
  }
}

function measuredValue(input: SignalInput, curve: DecayCurve, at: number): Hundredths {
  if (input.events !== undefined) {
    // A watch that claims to be ahead of the moment scored must not age events into the future.
    const until = input.observed_at === null ? null : Math.min(at, instant(input.observed_at))
    return eventScore(input.events, { until, pauses: input.pauses ?? [], halfLifeDays: curve.halfLifeDays })
  }
  if (typeof input.good === 'number') return smallSampleScore(input.good, input.n ?? 0)
  return toHundredths(input.value ?? 0)
}

function blend(value: Hundredths, rest: Hundredths, fresh: Millionths): Hundredths {
  return divideHalfUp(value * fresh + rest * (ONE_MILLION - fresh), ONE_MILLION)
}
