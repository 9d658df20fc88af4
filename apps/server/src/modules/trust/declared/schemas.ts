import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { CAP_IDS, type CapState } from '../engine/caps.ts'
import { DecayConfig } from '../engine/config.ts'
import { SEVERITY_PENALTY } from '../engine/events-penalty.ts'
import { GRADES } from '../engine/grade.ts'
import { keyed } from '../engine/keyed.ts'
import type { ComposedScore, PillarScore, ScoreInput, SignalScore } from '../engine/score.ts'
import { PILLAR_NAMES, PILLARS, type PillarName, SIGNAL_IDS } from '../engine/signals.ts'

export const triggers = ['event', 'schedule', 'forecast', 'manual', 'config'] as const
export type Trigger = (typeof triggers)[number]

export const intervals = ['raw', '1h', '1d', '1w'] as const
export type Interval = (typeof intervals)[number]

export const Points = Type.Number({ minimum: 0, maximum: 100, description: 'Points with two decimals' })
export const PointsMoved = Type.Number({
  minimum: -100,
  maximum: 100,
  description: 'Points gained, or lost where it is negative; two decimals',
})
export const Share = Type.Number({ minimum: 0, maximum: 1 })
export const Grade = oneOf(...GRADES)
export const Trend = Type.String({ pattern: '^[+-]\\d+\\.\\d$', maxLength: 8 })
export const PillarPoints = strictObject(keyed(PILLAR_NAMES, () => Points))

export const Name = Type.String({ maxLength: 64 })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })
export const SourceRef = nullable(Type.String({ maxLength: 500 }))

/** The pillar of a score, in the form every client has known from the first version on. */
const scorePillar = <P extends PillarName>(name: P) =>
  strictObject({ score: Points, weight: Share, source: oneOf(PILLARS[name].source) })

export const Score = strictObject({
  tenant_id: Uuid,
  composite_score: Points,
  grade: Grade,
  pillars: strictObject({
    security: scorePillar('security'),
    compliance: scorePillar('compliance'),
    risk: scorePillar('risk'),
    resilience: scorePillar('resilience'),
    ai_governance: scorePillar('ai_governance'),
  }),
  trend: Trend,
  last_recalculated_at: Timestamp,
  decay_model: oneOf('exponential', 'linear', 'step', 'none'),
})
export type Score = Static<typeof Score>

export const pillarParts = {
  pillar: oneOf(...PILLAR_NAMES),
  score: Points,
  uncapped: Points,
  weight: Share,
  source: oneOf('aegis', 'compliance', 'risk', 'resilience', 'gateway'),
  confidence: Share,
  coverage: Share,
  half_life_days: Type.Number(),
  capped_by: nullable(oneOf(...CAP_IDS)),
} as const

const PillarView = strictObject(pillarParts)

export const signalParts = {
  id: oneOf(...SIGNAL_IDS),
  pillar: oneOf(...PILLAR_NAMES),
  value: nullable(Points),
  n: nullable(Type.Number({ minimum: 0 })),
  class: oneOf('state', 'event'),
  observed_at: nullable(Timestamp),
  age_days: nullable(Type.Number({ minimum: 0 })),
  freshness: Share,
  effective: Points,
  weight: Share,
  applicable: Type.Boolean(),
  source_ref: SourceRef,
} as const

const SignalView = strictObject(signalParts)

const CapView = strictObject({
  id: oneOf(...CAP_IDS),
  pillar: oneOf(...PILLAR_NAMES),
  limit: nullable(Points),
  active: Type.Boolean(),
  applied: Type.Boolean(),
})

const composed = {
  composite_score: Points,
  grade: Grade,
  confidence: Share,
  coverage: Share,
  interval: strictObject({ low: Points, high: Points }),
  provisional: Type.Boolean({ description: 'Confidence is below 0.5.' }),
  pillars: Type.Unsafe<readonly PillarScore[]>(Type.Array(PillarView)),
  signals: Type.Unsafe<readonly SignalScore[]>(Type.Array(SignalView)),
  caps: Type.Unsafe<readonly CapState[]>(Type.Array(CapView)),
}

const snapshotParts = {
  id: Uuid,
  tenant_id: Uuid,
  created_at: Timestamp,
  trigger: oneOf(...triggers),
  trigger_event_id: nullable(Uuid),
  algorithm: Type.String({ maxLength: 20 }),
  config_version: Type.Integer({ minimum: 1 }),
  ...composed,
  inputs_sha256: Sha256,
}

export const Snapshot = strictObject(snapshotParts)
export type Snapshot = Static<typeof Snapshot>

/** As delivered: a member that was left out and one that was null are different inputs with different hashes. */
const InputSignal = strictObject({
  id: Name,
  observed_at: nullable(Timestamp),
  value: Type.Optional(nullable(Points)),
  good: Type.Optional(nullable(Type.Number({ minimum: 0 }))),
  n: Type.Optional(nullable(Type.Number({ minimum: 0 }))),
  events: Type.Optional(
    Type.Array(
      strictObject({
        id: Type.Optional(Name),
        severity: Type.Enum(Object.keys(SEVERITY_PENALTY)),
        at: Timestamp,
        closed_at: Type.Optional(Timestamp),
      }),
    ),
  ),
  pauses: Type.Optional(Type.Array(strictObject({ from: Timestamp, to: Timestamp }))),
  source_ref: Type.Optional(SourceRef),
})

const Inputs = strictObject(
  {
    at: Timestamp,
    config: DecayConfig,
    signals: Type.Array(InputSignal),
    caps: Type.Array(strictObject({ id: Name, active: Type.Boolean() })),
  },
  { description: 'Everything the score was made from; with the algorithm, all that is needed to make it again.' },
)

export const SnapshotWithInputs = strictObject({
  ...snapshotParts,
  inputs: Type.Unsafe<ScoreInput>(Inputs),
  verification: Type.Optional(
    strictObject({
      recomputed: Type.Unsafe<ComposedScore>(strictObject(composed)),
      equal: Type.Boolean({ description: 'The inputs still have the stored hash and give the stored score.' }),
      inputs_sha256: Sha256,
    }),
  ),
})
export type SnapshotWithInputs = Static<typeof SnapshotWithInputs>

export const HistoryPoint = strictObject({
  at: Timestamp,
  composite_score: Points,
  grade: Grade,
  pillars: PillarPoints,
  min: Points,
  max: Points,
  snapshot_id: Uuid,
})

export const History = strictObject({
  from: Timestamp,
  to: Timestamp,
  interval: oneOf(...intervals),
  points: Type.Unsafe<readonly Static<typeof HistoryPoint>[]>(Type.Array(HistoryPoint)),
  downsampled: Type.Boolean(),
})
export type History = Static<typeof History>
export type HistoryPoint = Static<typeof HistoryPoint>
