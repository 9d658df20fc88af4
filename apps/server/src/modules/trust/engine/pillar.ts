import { applyCaps, type CapId, type Capped, type CapState } from './caps.ts'
import type { DecayConfig } from './config.ts'
import {
  type Hundredths,
  ONE_MILLION,
  type TenThousandths,
  toHundredths,
  toTenThousandths,
  WHOLE,
  weightedMean,
} from './fixed-point.ts'
import type { SignalReading } from './signal-score.ts'
import type { PillarName, SignalId } from './signals.ts'

/** One pillar at one moment, in integers. */
export interface PillarReading {
  readonly name: PillarName
  readonly score: Hundredths
  /** The mean of the signals before any cap. */
  readonly mean: Hundredths
  readonly cappedBy: CapId | null
  readonly weight: TenThousandths
  readonly confidence: TenThousandths
  readonly coverage: TenThousandths
  readonly lowest: Hundredths
  readonly highest: Hundredths
}

/** Inputs that turn values into a score: the weights and the prior, and the caps in force. */
export interface Scoring {
  readonly config: DecayConfig
  readonly caps: readonly CapState[]
}

/** The value of one signal, in the unit of its pillar. */
export interface PillarTerm {
  readonly id: SignalId
  readonly value: number
}

/**
 * The weighted mean of a pillar's applicable signals; `null` when none is left. The weight of signals that do not apply
 * falls to their siblings in proportion, because the mean divides by the weights that are left.
 */
export function pillarMean(terms: readonly PillarTerm[], config: DecayConfig): number | null {
  return weightedMean(terms.map(({ id, value }) => ({ weight: toTenThousandths(config.signals[id].weight), value })))
}

/** The score of a pillar and the cap that lowered it, from effective values of its applicable signals. */
export function pillarScore(name: PillarName, terms: readonly PillarTerm[], { config, caps }: Scoring): Capped {
  return applyCaps(pillarMean(terms, config) ?? toHundredths(config.prior), ofPillar(name, caps))
}

/** A pillar with all that is shown of it, from the readings of its applicable signals. */
export function readPillar(name: PillarName, readings: readonly SignalReading[], scoring: Scoring): PillarReading {
  const { config } = scoring
  const caps = ofPillar(name, scoring.caps)
  const terms = (value: (reading: SignalReading) => number) => readings.map((r) => ({ id: r.id, value: value(r) }))
  const mean = (value: (reading: SignalReading) => number) => pillarMean(terms(value), config)
  const capped = pillarScore(
    name,
    terms((r) => r.effective),
    scoring,
  )
  return {
    name,
    score: capped.score,
    mean: mean((r) => r.effective) ?? toHundredths(config.prior),
    cappedBy: capped.by,
    weight: toTenThousandths(config.pillars[name].weight),
    confidence: mean((r) => Math.floor((r.confidence * WHOLE) / ONE_MILLION + 0.5)) ?? 0,
    coverage: mean((r) => (r.value === null ? 0 : WHOLE)) ?? 0,
    lowest: applyCaps(mean((r) => r.lowest) ?? 0, caps).score,
    highest: applyCaps(mean((r) => r.highest) ?? WHOLE, caps).score,
  }
}

function ofPillar(name: PillarName, caps: readonly CapState[]): readonly CapState[] {
  return caps.filter((cap) => cap.pillar === name)
}
