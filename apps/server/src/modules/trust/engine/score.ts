// Promises: one score from evidence, configuration and a moment, the same to the last hundredth on every machine,
// whatever the order of the input. Does not: read a clock or a database, remember earlier evidence (`retention.ts`
// does, given both), or judge whether evidence is true. Tested in `score.test.ts`, its laws in `score.laws.test.ts`.
//
// Rounding happens in these places and nowhere else, always half up: a value (hundredths), a freshness (millionths),
// an effective value, a pillar, the composite (hundredths). After the first two everything is integer arithmetic.
import { type CapId, type CapInput, type CapState, capStates } from './caps.ts'
import type { DecayConfig } from './config.ts'
import { assertUsable } from './config-rules.ts'
import { assertScorable, type SignalInput } from './evidence.ts'
import { ONE_MILLION, toPoints, toTenThousandths, WHOLE, weightedMean } from './fixed-point.ts'
import { type Grade, gradeOf } from './grade.ts'
import { instant } from './instant.ts'
import { type PillarReading, readPillar } from './pillar.ts'
import { readSignal, type SignalReading } from './signal-score.ts'
import {
  PILLAR_NAMES,
  PILLARS,
  type PillarName,
  SIGNAL_IDS,
  SIGNALS,
  type SignalClass,
  type SignalId,
} from './signals.ts'

/** Confidence below which a score is provisional. */
const PROVISIONAL_BELOW = 5000

export interface ScoreInput {
  /** The moment to score, RFC 3339. */
  readonly at: string
  readonly config: DecayConfig
  readonly signals: readonly SignalInput[]
  readonly caps: readonly CapInput[]
}

export interface SignalScore {
  readonly id: SignalId
  readonly pillar: PillarName
  readonly value: number | null
  readonly n: number | null
  readonly class: SignalClass
  readonly observed_at: string | null
  readonly age_days: number | null
  readonly freshness: number
  readonly effective: number
  readonly weight: number
  readonly applicable: boolean
  readonly source_ref: string | null
}

export interface PillarScore {
  readonly pillar: PillarName
  readonly score: number
  readonly uncapped: number
  readonly weight: number
  readonly source: (typeof PILLARS)[PillarName]['source']
  readonly confidence: number
  readonly coverage: number
  readonly half_life_days: number
  readonly capped_by: CapId | null
}

export interface ComposedScore {
  readonly composite_score: number
  readonly grade: Grade
  readonly confidence: number
  readonly coverage: number
  readonly interval: { readonly low: number; readonly high: number }
  readonly provisional: boolean
  readonly pillars: readonly PillarScore[]
  readonly signals: readonly SignalScore[]
  readonly caps: readonly CapState[]
}

/**
 * Composes the score of a tenant: points 0..100 with two decimals. The composite is round half up of the sum of
 * displayed pillar score times weight. A configuration or evidence that cannot be scored is a `RangeError`.
 */
export function composeScore({ at, config, signals, caps }: ScoreInput): ComposedScore {
  assertUsable(config)
  assertScorable({ signals, caps })
  const readings = readAll(signals, config, instant(at))
  const states = capStates(caps, config.caps)
  const pillars = PILLAR_NAMES.map((name) =>
    readPillar(name, applicableOf(name, readings, config), { config, caps: states }),
  )
  const composite = across(pillars, (pillar) => pillar.score)
  const confidence = across(pillars, (pillar) => pillar.confidence)
  const cappers = new Set(pillars.map((pillar) => pillar.cappedBy))
  return {
    composite_score: toPoints(composite),
    grade: gradeOf(composite),
    confidence: confidence / WHOLE,
    coverage: across(pillars, (pillar) => pillar.coverage) / WHOLE,
    interval: {
      low: toPoints(across(pillars, (pillar) => pillar.lowest)),
      high: toPoints(across(pillars, (pillar) => pillar.highest)),
    },
    provisional: confidence < PROVISIONAL_BELOW,
    pillars: pillars.map((pillar) => shownPillar(pillar, config)),
    signals: readings.map((reading) => shownSignal(reading, config)),
    caps: states.map((cap) => ({ ...cap, applied: cappers.has(cap.id) })),
  }
}

function readAll(signals: readonly SignalInput[], config: DecayConfig, at: number): readonly SignalReading[] {
  const delivered = new Map(signals.map((signal) => [signal.id, signal]))
  return SIGNAL_IDS.map((id) => readSignal(id, delivered.get(id), { config, at }))
}

function applicableOf(
  pillar: PillarName,
  readings: readonly SignalReading[],
  config: DecayConfig,
): readonly SignalReading[] {
  return readings.filter(({ id }) => SIGNALS[id].pillar === pillar && config.signals[id].applicable)
}

function across(pillars: readonly PillarReading[], value: (pillar: PillarReading) => number): number {
  return weightedMean(pillars.map((pillar) => ({ weight: pillar.weight, value: value(pillar) }))) ?? 0
}

function shownPillar(pillar: PillarReading, config: DecayConfig): PillarScore {
  return {
    pillar: pillar.name,
    score: toPoints(pillar.score),
    uncapped: toPoints(pillar.mean),
    weight: pillar.weight / WHOLE,
    source: PILLARS[pillar.name].source,
    confidence: pillar.confidence / WHOLE,
    coverage: pillar.coverage / WHOLE,
    half_life_days: config.pillars[pillar.name].half_life_days,
    capped_by: pillar.cappedBy,
  }
}

function shownSignal(reading: SignalReading, config: DecayConfig): SignalScore {
  const { id } = reading
  return {
    id,
    pillar: SIGNALS[id].pillar,
    value: reading.value === null ? null : toPoints(reading.value),
    n: reading.n,
    class: SIGNALS[id].class,
    observed_at: reading.observedAt,
    age_days: reading.ageDays === null ? null : toTenThousandths(reading.ageDays) / WHOLE,
    freshness: reading.freshness / ONE_MILLION,
    effective: toPoints(reading.effective),
    weight: toTenThousandths(config.signals[id].weight) / WHOLE,
    applicable: config.signals[id].applicable,
    source_ref: reading.sourceRef,
  }
}
