import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { ConfigPatch } from '../declared/config-patch.ts'
import { Grade, Name, Points, PointsMoved, pillarParts, Score, Share, signalParts, Trend } from '../declared/schemas.ts'
import { CAP_IDS } from '../engine/caps.ts'
import { SEVERITY_PENALTY } from '../engine/events-penalty.ts'
import { PILLAR_NAMES, SIGNAL_IDS, SIGNALS, type SignalId } from '../engine/signals.ts'

const Signal = oneOf(...SIGNAL_IDS)
const Pillar = oneOf(...PILLAR_NAMES)
const Cap = oneOf(...CAP_IDS)

const SignalContribution = strictObject({
  signal: Signal,
  pillar: Pillar,
  phi: PointsMoved,
  effective: Points,
  baseline: Points,
})

const CapContribution = strictObject({ cap: Cap, pillar: Pillar, phi: PointsMoved })

const sums = {
  others: Type.Number({ description: 'Sum of the contributions that `top` left out.' }),
  configuration: Type.Number({
    description: 'Points by which weights, prior and limits of caps differ from those of the baseline.',
  }),
}

const SumCheck = strictObject(
  {
    contributions: Type.Number(),
    caps: Type.Number(),
    configuration: Type.Number(),
    total: Type.Number(),
    difference: Type.Number({ description: 'The composite less that of the baseline.' }),
    equal: Type.Boolean(),
  },
  { description: 'All contributions, those left out included, add up to the difference to the hundredth.' },
)

export const Explanation = strictObject({
  composite_score: Points,
  grade: Grade,
  baseline: strictObject({ kind: oneOf('prior', 'snapshot'), snapshot_id: nullable(Uuid), composite_score: Points }),
  contributions: Type.Array(SignalContribution),
  ...sums,
  caps: Type.Array(
    strictObject({
      ...CapContribution.properties,
      limit: nullable(Points),
      active: Type.Boolean(),
      applied: Type.Boolean(),
      lift_gain: Type.Number({ description: 'Points of the composite when this cap alone is lifted.' }),
    }),
    { description: 'Caps in force now or in the baseline.' },
  ),
  missing: Type.Array(
    strictObject({
      signal: Signal,
      pillar: Pillar,
      source: oneOf(...new Set(SIGNAL_IDS.map((id) => SIGNALS[id].source))),
      formula: Type.String({ maxLength: 500 }),
      reason: oneOf('never_observed', 'expired'),
      span: Type.Number({ description: 'Points of the composite between the worst and the best it could say.' }),
    }),
  ),
  confidence: Share,
  provisional: Type.Boolean(),
  interval: strictObject({ low: Points, high: Points }),
  forecast: Type.Array(strictObject({ at: Timestamp, composite_score: Points, grade: Grade }), {
    description: 'The next changes of the grade if no new evidence arrives, 400 days ahead.',
  }),
  actions: Type.Array(
    strictObject({
      signal: Signal,
      pillar: Pillar,
      refresh_gain: Type.Number({ description: 'Points gained by collecting the same evidence again.' }),
      max_gain: Type.Number({ description: 'Points gained when the signal has 100.' }),
    }),
  ),
  sum_check: SumCheck,
})
export type Explanation = Static<typeof Explanation>

const EventKey = Type.String({ minLength: 1, maxLength: 128 })

const weightNames = Object.fromEntries(
  [...PILLAR_NAMES, ...SIGNAL_IDS].map((name) => [name, Type.Optional(Type.Number({ minimum: 0, maximum: 1 }))]),
)

const Change = Type.Union([
  strictObject({ signal: Name, value: Points }),
  strictObject({ signal: Name, refresh: Type.Literal(true) }),
  strictObject({ close_event: EventKey }),
  strictObject({ cap: Name, value: Type.Boolean() }),
  strictObject({ weights: Type.Unsafe<Record<string, number>>(strictObject(weightNames)) }),
  strictObject({ decay: ConfigPatch }),
])

export const SimulationRequest = strictObject({
  changes: Type.Array(Change, { maxItems: 50, description: 'Made in this order; none where only time shall pass.' }),
  at: Type.Optional(Timestamp),
})
export type SimulationRequest = Static<typeof SimulationRequest>

export const Simulation = strictObject({
  at: Timestamp,
  before: Score,
  after: Score,
  delta: PointsMoved,
  contributions: Type.Array(SignalContribution),
  caps: Type.Array(CapContribution),
  configuration: sums.configuration,
})
export type Simulation = Static<typeof Simulation>

export const PillarSummary = strictObject({ ...pillarParts, trend: Trend })

const EventView = strictObject({
  id: Type.String({ maxLength: 128, description: 'Name for `close_event` of a simulation.' }),
  severity: Type.Enum(Object.keys(SEVERITY_PENALTY)),
  at: Timestamp,
  closed_at: nullable(Timestamp),
})

const SignalDetail = strictObject({
  ...signalParts,
  id: Type.Unsafe<SignalId>(Signal),
  source: oneOf(...new Set(SIGNAL_IDS.map((id) => SIGNALS[id].source))),
  formula: Type.String({ maxLength: 500 }),
  good: nullable(Type.Number({ minimum: 0, description: 'Of `n`, where the signal is a share.' })),
  decay_model: oneOf('exponential', 'linear', 'step', 'none'),
  half_life_days: Type.Number(),
  reason: nullable(Type.String({ maxLength: 500, description: 'Why the signal does not apply.' })),
  open_events: nullable(Type.Integer({ minimum: 0 })),
  events: nullable(Type.Array(EventView, { maxItems: 100, description: 'Open ones first, then the newest.' })),
})

export const PillarDetail = strictObject({
  ...PillarSummary.properties,
  at: Timestamp,
  signals: Type.Array(SignalDetail),
})
export type PillarDetail = Static<typeof PillarDetail>
export type PillarSummary = Static<typeof PillarSummary>
