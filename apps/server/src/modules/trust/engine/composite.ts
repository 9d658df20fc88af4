import type { DecayConfig } from './config.ts'
import { type Hundredths, toTenThousandths, weightedMean } from './fixed-point.ts'
import { type PillarTerm, pillarScore, type Scoring } from './pillar.ts'
import { PILLAR_NAMES, type PillarName, type SignalId, signalsOf } from './signals.ts'

/** The effective value of every signal, in hundredths. */
export type EffectiveValues = Readonly<Record<SignalId, Hundredths>>

/** The composite in hundredths of given effective values: the arithmetic of `composeScore` without what it shows. */
export function compositeOf(values: EffectiveValues, scoring: Scoring): Hundredths {
  const { config } = scoring
  const pillars = PILLAR_NAMES.map((name) => ({
    weight: toTenThousandths(config.pillars[name].weight),
    value: pillarScore(name, termsOf(name, values, config), scoring).score,
  }))
  return weightedMean(pillars) ?? 0
}

function termsOf(pillar: PillarName, values: EffectiveValues, config: DecayConfig): readonly PillarTerm[] {
  return applicableSignals(pillar, config).map((id) => ({ id, value: values[id] }))
}

/** Ids of a pillar's signals that apply, in the order of the catalogue. */
export function applicableSignals(pillar: PillarName, config: DecayConfig): readonly SignalId[] {
  return signalsOf(pillar).filter((id) => config.signals[id].applicable)
}
