import { CAPS, type CapId } from '../caps.ts'
import { applicableSignals, compositeOf } from '../composite.ts'
import type { DecayConfig } from '../config.ts'
import { FULL_SCORE, type Hundredths, toPoints } from '../fixed-point.ts'
import { instant } from '../instant.ts'
import type { ComposedScore, ScoreInput } from '../score.ts'
import { readSignal } from '../signal-score.ts'
import { PILLAR_NAMES, type PillarName, SIGNALS, type SignalId } from '../signals.ts'
import { capsOf, type Side } from './attribution.ts'

/** A signal that could raise the composite, and by how many points. */
export interface Action {
  readonly signal: SignalId
  readonly pillar: PillarName
  /** When the evidence is collected again and says the same. */
  readonly refresh_gain: number
  /** When the signal has 100, with new evidence. */
  readonly max_gain: number
}

export interface CapLift {
  readonly cap: CapId
  readonly pillar: PillarName
  readonly limit: number | null
  /** Points of the composite when the cap alone is lifted. */
  readonly lift_gain: number
}

/** The signals that can raise the composite, those that can most first. One that a cap keeps down gains nothing. */
export function nextActions(input: ScoreInput, side: Side): readonly Action[] {
  const { config } = input
  const caps = capsOf(side.active, config)
  const delivered = new Map(input.signals.map((signal) => [signal.id, signal]))
  const gain = (id: SignalId, value: Hundredths) =>
    toPoints(compositeOf({ ...side.values, [id]: value }, { config, caps }) - side.composite)
  return PILLAR_NAMES.flatMap((pillar) => applicableSignals(pillar, config))
    .map((signal) => {
      const known = delivered.get(signal)
      const again = known === undefined ? undefined : { ...known, observed_at: input.at }
      const refreshed = readSignal(signal, again, { config, at: instant(input.at) }).effective
      const { pillar } = SIGNALS[signal]
      return { signal, pillar, refresh_gain: gain(signal, refreshed), max_gain: gain(signal, FULL_SCORE) }
    })
    .filter(({ refresh_gain, max_gain }) => refresh_gain > 0 || max_gain > 0)
    .sort((a, b) => b.max_gain - a.max_gain || b.refresh_gain - a.refresh_gain)
}

/** The caps in force, in the order of the catalogue. */
export function capLifts(side: Side, config: DecayConfig): readonly CapLift[] {
  return [...side.active].map((cap) => {
    const others = new Set([...side.active].filter((other) => other !== cap))
    const without = compositeOf(side.values, { config, caps: capsOf(others, config) })
    return {
      cap,
      pillar: CAPS[cap].pillar,
      limit: config.caps[cap],
      lift_gain: toPoints(without - side.composite),
    }
  })
}

export interface MissingEvidence {
  readonly signal: SignalId
  readonly pillar: PillarName
  readonly source: (typeof SIGNALS)[SignalId]['source']
  /** `never_observed`, or `expired`: its age left nothing of the last observation. */
  readonly reason: 'never_observed' | 'expired'
  /** Points of the composite between the worst and the best that the missing evidence could say. */
  readonly span: number
}

/** Signals without evidence, those that leave most open first. */
export function missingEvidence(score: Pick<ComposedScore, 'signals'>, side: Side, config: DecayConfig) {
  const caps = capsOf(side.active, config)
  const at = (id: SignalId, value: Hundredths) => compositeOf({ ...side.values, [id]: value }, { config, caps })
  return score.signals
    .filter(({ applicable, freshness }) => applicable && freshness === 0)
    .map(({ id, pillar, value }): MissingEvidence => {
      const reason = value === null ? 'never_observed' : 'expired'
      return {
        signal: id,
        pillar,
        source: SIGNALS[id].source,
        reason,
        span: toPoints(at(id, FULL_SCORE) - at(id, 0)),
      }
    })
    .sort((a, b) => b.span - a.span)
}
