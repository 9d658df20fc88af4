/** A risk of the register as it is stored, shown and changed. */
import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Appetite } from '../scoring/appetite.ts'
import { states } from '../scoring/states.ts'
import { categories, levels, purposes, ratings, runStatuses } from '../scoring/words.ts'
import {
  Acceptance,
  Judgment,
  Kri,
  Level,
  Links,
  NewAcceptance,
  NewKri,
  NewLinks,
  NewTreatment,
  Treatment,
} from './parts.ts'

const Title = Type.String({ minLength: 3, maxLength: 200 })
const Description = Type.String({ maxLength: 10_000 })
const Sentence = Type.String({ maxLength: 2000 })
const Score = Type.Number({ minimum: 0, maximum: 100 })
const Rating = oneOf(...ratings)
const ReviewInterval = Type.Integer({ minimum: 7, maximum: 730 })
const Status = oneOf(...states)

const texts = {
  description: nullable(Description),
  cause: nullable(Sentence),
  event: nullable(Sentence),
  consequence: nullable(Sentence),
}

const stored = {
  title: Title,
  ...texts,
  category: oneOf(...categories),
  owner_id: Uuid,
  inherent: Level,
  residual: nullable(Level),
  target: nullable(Level),
  score: Score,
  rating: Rating,
  above_tolerance: Type.Boolean(),
  appetite: nullable(Appetite),
  treatment: nullable(Treatment),
  acceptance: nullable(Acceptance),
  kris: Type.Array(Kri, { maxItems: 20 }),
  links: Links,
  review_interval_days: ReviewInterval,
  reviewed_at: Timestamp,
  review_due_at: Timestamp,
  status: Status,
}

export const RiskRow = strictObject({
  ...resource(stored).properties,
  version: Type.Integer({ minimum: 1 }),
  number: Type.Integer({ minimum: 1 }),
  acceptance_until: nullable(Timestamp),
  next_deadline_at: nullable(Timestamp),
  /** When event indicators were measured; null where the risk has none. */
  measured_at: nullable(Timestamp),
})
export type RiskRow = Static<typeof RiskRow>

/** A score that a risk had. */
export const ScoreRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  risk_id: Uuid,
  created_at: Timestamp,
  level: oneOf(...levels),
  previous_score: nullable(Score),
  score: Score,
  previous_rating: nullable(Rating),
  rating: Rating,
  var95: nullable(Type.Number()),
  cause: oneOf('analysis', 'qualitative', 'kri', 'threat_update'),
  analysis_id: nullable(Uuid),
})
export type ScoreRow = Static<typeof ScoreRow>
export type ScoreCause = ScoreRow['cause']

const { id: _id, tenant_id: _tenant, risk_id: _risk, ...pastScore } = ScoreRow.properties
export const PastScore = strictObject(pastScore)

const Reference = Type.String({ pattern: '^R-\\d{4,}$', maxLength: 12 })

export const AnalysisBrief = strictObject({
  id: Uuid,
  version: Type.Integer(),
  purpose: oneOf(...purposes),
  status: oneOf(...runStatuses),
  current: Type.Boolean(),
  created_at: Timestamp,
  mean: nullable(Type.Number()),
  var95: nullable(Type.Number()),
  currency: Type.String({ maxLength: 3 }),
})
export type AnalysisBrief = Static<typeof AnalysisBrief>

export const SimulationBrief = strictObject({
  id: Uuid,
  kind: Type.String({ maxLength: 20 }),
  status: oneOf(...runStatuses),
  created_at: Timestamp,
  mean: nullable(Type.Number()),
  var95: nullable(Type.Number()),
})
export type SimulationBrief = Static<typeof SimulationBrief>

export const Risk = resource({
  reference: Reference,
  ...stored,
  effective_appetite: nullable(Appetite),
  allowed_moves: Type.Array(Status),
  analyses: Type.Optional(Type.Array(AnalysisBrief)),
  simulations: Type.Optional(Type.Array(SimulationBrief)),
  history: Type.Optional(Type.Array(PastScore)),
})
export type Risk = Static<typeof Risk>

export const ListedRisk = listed(
  resource({
    reference: Reference,
    title: Title,
    category: stored.category,
    owner_id: Uuid,
    status: Status,
    score: Score,
    rating: Rating,
    above_tolerance: Type.Boolean(),
    residual_var95: nullable(Type.Number()),
    currency: nullable(Type.String({ maxLength: 3 })),
    review_due_at: Timestamp,
    open_actions: Type.Integer({ minimum: 0 }),
    red_kris: Type.Integer({ minimum: 0 }),
  }),
)
export type ListedRisk = Omit<Static<typeof ListedRisk>, 'etag'>

const maybe = {
  description: Type.Optional(nullable(Description)),
  cause: Type.Optional(nullable(Sentence)),
  event: Type.Optional(nullable(Sentence)),
  consequence: Type.Optional(nullable(Sentence)),
  residual: Type.Optional(nullable(Judgment)),
  target: Type.Optional(nullable(Judgment)),
  appetite: Type.Optional(nullable(Appetite)),
  treatment: Type.Optional(nullable(NewTreatment)),
  kris: Type.Optional(Type.Array(NewKri, { maxItems: 20 })),
  links: Type.Optional(NewLinks),
  review_interval_days: Type.Optional(ReviewInterval),
}

export const CreateRisk = strictObject({
  title: Title,
  category: stored.category,
  owner_id: Uuid,
  inherent: Judgment,
  ...maybe,
})
export type CreateRisk = Static<typeof CreateRisk>

export const PatchRisk = strictObject({
  title: Type.Optional(Title),
  category: Type.Optional(stored.category),
  owner_id: Type.Optional(Uuid),
  inherent: Type.Optional(Judgment),
  ...maybe,
  status: Type.Optional(Status),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'Why the status changes' })),
  acceptance: Type.Optional(NewAcceptance),
  confirm_token: Type.Optional(
    Type.String({ maxLength: 400, description: 'From the refused call of the first person' }),
  ),
  reviewed: Type.Optional(
    Type.Boolean({ description: 'True: the review is done, and the next one is due after the interval.' }),
  ),
})
export type PatchRisk = Static<typeof PatchRisk>

export const RiskFilter = strictObject({
  status: Type.Optional(Status),
  category: Type.Optional(stored.category),
  owner_id: Type.Optional(Uuid),
  rating: Type.Optional(Rating),
  above_tolerance: Type.Optional(Type.Boolean()),
  review_due: Type.Optional(Type.Boolean({ description: 'Whether the review is due by now' })),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of the reference or of a word of the title' }),
  ),
})
export type RiskFilter = Static<typeof RiskFilter>
