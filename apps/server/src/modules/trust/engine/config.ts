import Type, { type Static } from 'typebox'
import { CAP_IDS } from './caps.ts'
import { keyed } from './keyed.ts'
import { PILLAR_NAMES, SIGNAL_IDS } from './signals.ts'

export const HALF_LIFE_DAYS = { minimum: 0.25, maximum: 3650 } as const

const DecayModel = Type.Enum(['exponential', 'linear', 'step', 'none'])
// Decimals are counted in `config-rules.ts`: by `multipleOf` most validators refuse 0.15, whose double is no multiple.
const Weight = Type.Number({ minimum: 0, maximum: 1, description: 'At most four decimals.' })
const Points = Type.Number({ minimum: 0, maximum: 100, description: 'At most two decimals.' })
const HalfLife = Type.Number(HALF_LIFE_DAYS)
const closed = { additionalProperties: false } as const

const Step = Type.Object(
  { after_days: Type.Number({ minimum: 0, maximum: 36_500 }), factor: Type.Number({ minimum: 0, maximum: 1 }) },
  closed,
)

const PillarSettings = Type.Object(
  {
    weight: Weight,
    half_life_days: HalfLife,
    grace_days: Type.Optional(Type.Number({ minimum: 0, maximum: 3650 })),
    lifetime_days: Type.Optional(Type.Number({ minimum: 0.25, maximum: 36_500 })),
    steps: Type.Optional(Type.Array(Step, { minItems: 1, maxItems: 20 })),
  },
  closed,
)

const SignalSettings = Type.Object(
  {
    weight: Weight,
    half_life_days: Type.Optional(HalfLife),
    decay_model: Type.Optional(DecayModel),
    applicable: Type.Boolean(),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  },
  closed,
)

/** Wire form of a tenant's decay configuration. Rules beyond the schema (sums, order) are in `config-rules.ts`. */
export const DecayConfig = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    decay_model: DecayModel,
    pillars: Type.Object(
      keyed(PILLAR_NAMES, () => PillarSettings),
      closed,
    ),
    signals: Type.Object(
      keyed(SIGNAL_IDS, () => SignalSettings),
      closed,
    ),
    prior: Points,
    stale_bad_evidence: Type.Enum(['hold', 'decay']),
    caps: Type.Object(
      keyed(CAP_IDS, () => Type.Union([Points, Type.Null()])),
      closed,
    ),
    trend_window_hours: Type.Integer({ minimum: 1, maximum: 8760 }),
    notify: Type.Object({ min_change: Points, grade_hysteresis: Points }, closed),
  },
  closed,
)

export type DecayConfig = Static<typeof DecayConfig>
