import { applyCaps, type CapId, type CapState } from './caps.ts'
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
import type { PillarName } from './signals.ts'

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

/**
 * A pillar from the readings of its applicable signals: their weighted mean, then the caps. The weight of signals
 * that do not apply falls to their siblings in proportion, because the mean divides by the weights that are left.
 */
export function readPillar(
  name: PillarName,
  readings: readonly SignalReading[],
  { config, caps }: { readonly config: DecayConfig; readonly caps: readonly CapState[] },
): PillarReading {
  const mean = (value: (reading: SignalReading) => number) =>
    weightedMean(readings.map((r) => ({ weight: toTenThousandths(config.signals[r.id].weight), value: value(r) })))
  const ownCaps = caps.filter((cap) => cap.pillar === name)
  const plain = mean((r) => r.effective) ?? toHundredths(config.prior)
  const capped = applyCaps(plain, ownCaps)
  return {
    name,
    score: capped.score,
    mean: plain,
    cappedBy: capped.by,
    weight: toTenThousandths(config.pillars[name].weight),
    confidence: mean((r) => Math.floor((r.confidence * WHOLE) / ONE_MILLION + 0.5)) ?? 0,
    coverage: mean((r) => (r.value === null ? 0 : WHOLE)) ?? 0,
    lowest: applyCaps(mean((r) => r.lowest) ?? 0, ownCaps).score,
    highest: applyCaps(mean((r) => r.highest) ?? WHOLE, ownCaps).score,
  }
}
