import { CAP_IDS, CAPS, type CapId, type CapState, capStates } from '../caps.ts'
import { applicableSignals, compositeOf, type EffectiveValues } from '../composite.ts'
import type { DecayConfig } from '../config.ts'
import { type Hundredths, toHundredths, toPoints, toTenThousandths, WHOLE } from '../fixed-point.ts'
import { keyed } from '../keyed.ts'
import type { ComposedScore } from '../score.ts'
import { PILLAR_NAMES, type PillarName, SIGNAL_IDS, type SignalId } from '../signals.ts'
import { apportion } from './apportion.ts'
import { type CapPlayer, type SignalPlayer, shapleyValues } from './shapley.ts'

/** One side of a comparison. */
export interface Side {
  readonly values: EffectiveValues
  readonly active: ReadonlySet<CapId>
  readonly composite: Hundredths
}

export interface SignalContribution {
  readonly signal: SignalId
  readonly pillar: PillarName
  /** Points of the composite that the signal adds against the baseline; negative where it takes them away. */
  readonly phi: number
  readonly effective: number
  readonly baseline: number
}

export interface CapContribution {
  readonly cap: CapId
  readonly pillar: PillarName
  readonly phi: number
}

/** The difference of two composites, without rest: contributions of signals and caps, and of another configuration. */
export interface Attribution {
  readonly signals: readonly SignalContribution[]
  readonly caps: readonly CapContribution[]
  /** Points from changes of weights, prior and caps' limits alone, before any change of evidence. */
  readonly configuration: number
  /** Composite less baseline; exactly the sum of all above in hundredths. */
  readonly difference: number
}

/** A score that was composed, as a side. */
export function sideOf(score: Pick<ComposedScore, 'composite_score' | 'signals' | 'caps'>, prior: number): Side {
  const known = new Map(score.signals.map(({ id, effective }) => [id, effective]))
  return {
    values: keyed(SIGNAL_IDS, (id) => toHundredths(known.get(id) ?? prior)),
    active: new Set(score.caps.filter((cap) => cap.active).map(({ id }) => id)),
    composite: toHundredths(score.composite_score),
  }
}

/** The score of a tenant about which nothing is known: every signal at the prior, no cap in force. */
export function priorSide(config: DecayConfig): Side {
  const values = keyed(SIGNAL_IDS, () => toHundredths(config.prior))
  return { values, active: new Set(), composite: compositeOf(values, { config, caps: [] }) }
}

/** The caps of the catalogue with the limits of a configuration, those named in force. */
export function capsOf(active: ReadonlySet<CapId>, config: DecayConfig): readonly CapState[] {
  return capStates(
    [...active].map((id) => ({ id, active: true })),
    config.caps,
  )
}

/** Divides the difference of a score and its baseline among signals and caps, under the configuration of the score. */
export function attribute(score: Side, baseline: Side, config: DecayConfig): Attribution {
  const under = compositeOf(baseline.values, { config, caps: capsOf(baseline.active, config) })
  const players = PILLAR_NAMES.flatMap((pillar) => playersOf(pillar, { score, baseline, config }))
  const phis = apportion(
    players.map(({ phi }) => phi),
    score.composite - under,
  )
  const shares = players.map((player, place) => ({ ...player, phi: toPoints(phis[place] ?? 0) }))
  return {
    signals: SIGNAL_IDS.flatMap((signal) => {
      const share = shares.find(({ id }) => id === signal)
      if (share === undefined) return []
      const { pillar, phi } = share
      return [{ signal, pillar, phi, effective: pointsOf(score, signal), baseline: pointsOf(baseline, signal) }]
    }),
    caps: CAP_IDS.flatMap((cap) => {
      const share = shares.find(({ id }) => id === cap)
      return share === undefined ? [] : [{ cap, pillar: share.pillar, phi: share.phi }]
    }),
    configuration: toPoints(under - baseline.composite),
    difference: toPoints(score.composite - baseline.composite),
  }
}

interface Comparison {
  readonly score: Side
  readonly baseline: Side
  readonly config: DecayConfig
}

/** The players of one pillar with their share of the composite, in hundredths before rounding. */
function playersOf(pillar: PillarName, { score, baseline, config }: Comparison) {
  const signals = applicableSignals(pillar, config).map(
    (id): SignalPlayer => ({
      id,
      weight: toTenThousandths(config.signals[id].weight),
      before: baseline.values[id],
      after: score.values[id],
    }),
  )
  const caps = CAP_IDS.filter((id) => CAPS[id].pillar === pillar).flatMap((id): readonly CapPlayer[] => {
    const limit = config.caps[id]
    if (limit === null) return []
    return [{ id, limit: toHundredths(limit), before: baseline.active.has(id), after: score.active.has(id) }]
  })
  const weight = toTenThousandths(config.pillars[pillar].weight)
  return [...shapleyValues(signals, caps)].map(([id, phi]) => ({ id, pillar, phi: (phi * weight) / WHOLE }))
}

function pointsOf(side: Side, signal: SignalId): number {
  return toPoints(side.values[signal])
}
