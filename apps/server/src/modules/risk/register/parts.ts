/** Parts of a risk: levels, treatment, acceptance, indicators and links. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Currency, Money } from '../scoring/appetite.ts'
import { kriStatuses } from '../scoring/kri.ts'
import { ratings } from '../scoring/words.ts'

const Step = Type.Integer({ minimum: 1, maximum: 5 })
const Score = Type.Number({ minimum: 0, maximum: 100 })
const Amount = Type.Number({ minimum: 0, description: 'Annual loss in the currency beside it' })
const Name = Type.String({ minLength: 1, maxLength: 200 })

export const Judgment = strictObject({ likelihood: Step, impact: Step })

export const Level = strictObject({
  likelihood: nullable(Step),
  impact: nullable(Step),
  score: nullable(Score),
  rating: nullable(oneOf(...ratings)),
  ale_mean: nullable(Amount),
  var95: nullable(Amount),
  currency: nullable(Currency),
})
export type Level = Static<typeof Level>

export const strategies = ['mitigate', 'transfer', 'avoid', 'accept'] as const
export const actionStatuses = ['open', 'done', 'cancelled'] as const

const actionFields = {
  title: Name,
  due_at: Timestamp,
  control_ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 }),
}

export const Action = strictObject({
  id: Uuid,
  ...actionFields,
  owner_id: nullable(Uuid),
  status: oneOf(...actionStatuses),
  cost: nullable(Money),
  currency: nullable(Currency),
  /** When its deadline passed while it was open. */
  missed_at: nullable(Timestamp),
})
export type Action = Static<typeof Action>

export const NewAction = strictObject({
  id: Type.Optional(Uuid),
  title: Name,
  due_at: Timestamp,
  control_ids: Type.Optional(actionFields.control_ids),
  owner_id: Type.Optional(nullable(Uuid)),
  status: Type.Optional(oneOf(...actionStatuses)),
  cost: Type.Optional(nullable(Money)),
  currency: Type.Optional(nullable(Currency)),
})
export type NewAction = Static<typeof NewAction>

export const Treatment = strictObject({
  strategy: oneOf(...strategies),
  actions: Type.Array(Action, { maxItems: 100 }),
})
export type Treatment = Static<typeof Treatment>

export const NewTreatment = strictObject({
  strategy: oneOf(...strategies),
  actions: Type.Optional(Type.Array(NewAction, { maxItems: 100 })),
})
export type NewTreatment = Static<typeof NewTreatment>

const Reason = Type.String({ minLength: 1, maxLength: 2000 })
export const Acceptance = strictObject({
  by: Uuid,
  /** The first requester, where the acceptance took two people. */
  second_person: nullable(Uuid),
  until: Timestamp,
  reason: Reason,
})
export type Acceptance = Static<typeof Acceptance>
export const NewAcceptance = strictObject({ until: Timestamp, reason: Reason })
export type NewAcceptance = Static<typeof NewAcceptance>

export const kriSources = ['manual', 'event', 'trust_pillar', 'query'] as const
export const pillars = ['security', 'compliance', 'risk', 'resilience', 'ai_governance'] as const

/** A value of an indicator, whatever it counts. */
const Reading = Type.Number({ minimum: -1e15, maximum: 1e15 })

const kriFields = {
  name: Name,
  source: oneOf(...kriSources),
  amber: Reading,
  red: Reading,
  direction: oneOf('above', 'below'),
}
const WindowDays = Type.Integer({
  minimum: 1,
  maximum: 90,
  description: 'Of an event indicator: days over which observed attempts of the linked threats are counted',
})

export const Kri = strictObject({
  id: Uuid,
  ...kriFields,
  window_days: nullable(WindowDays),
  pillar: nullable(oneOf(...pillars)),
  value: nullable(Type.Number()),
  status: nullable(oneOf(...kriStatuses)),
  observed_at: nullable(Timestamp),
})
export type Kri = Static<typeof Kri>

export const NewKri = strictObject({
  id: Type.Optional(Uuid),
  ...kriFields,
  window_days: Type.Optional(WindowDays),
  pillar: Type.Optional(oneOf(...pillars)),
  value: Type.Optional(
    nullable(Type.Number({ minimum: -1e15, maximum: 1e15, description: 'Of a manual indicator only' })),
  ),
})
export type NewKri = Static<typeof NewKri>

const Names = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })
export const Links = strictObject({
  controls: Names,
  assets: Names,
  threats: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 100,
    description: 'External ids of the threat library, such as AML.T0051 or T1190',
  }),
  agents: Names,
  models: Names,
  providers: Names,
  frameworks: Names,
})
export type Links = Static<typeof Links>

export const NewLinks = strictObject({
  controls: Type.Optional(Links.properties.controls),
  assets: Type.Optional(Links.properties.assets),
  threats: Type.Optional(Links.properties.threats),
  agents: Type.Optional(Links.properties.agents),
  models: Type.Optional(Links.properties.models),
  providers: Type.Optional(Links.properties.providers),
  frameworks: Type.Optional(Links.properties.frameworks),
})
export type NewLinks = Static<typeof NewLinks>

export const noLinks: Links = {
  controls: [],
  assets: [],
  threats: [],
  agents: [],
  models: [],
  providers: [],
  frameworks: [],
}
