/** Campaigns as they are asked for, stored and shown. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Seed } from './analysis-schema.ts'
import { Share, Technique } from './asset-schema.ts'
import { attackerProfiles, runStatuses } from './words.ts'

export const templates = ['custom', 'case_study', 'attack_campaign'] as const
export const strategies = ['most_probable', 'weighted', 'least_effort'] as const
export const hourLaws = ['exponential', 'lognormal', 'triangular'] as const

const Chance = Type.Number({ minimum: 0, maximum: 1 })
const MeanHours = Type.Number({ minimum: 0.001, maximum: 100_000, description: 'Mean hours of one attempt' })

const step = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  technique: Type.Optional(Technique),
  probability: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Of one attempt; default: of the steps of this technique in the graph, else of the model',
    }),
  ),
  mean_hours: Type.Optional(MeanHours),
  hours_law: Type.Optional(oneOf(...hourLaws)),
  detected_on_failure: Type.Optional(Chance),
  detected_on_success: Type.Optional(Chance),
}

const Defender = strictObject({
  detected_on_failure: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Of steps that say nothing of their own; default 0.1' }),
  ),
  detected_on_success: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Default 0' })),
  response_hours: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100_000, description: 'From detection to eviction; default 24' }),
  ),
  evicts: Type.Optional(Type.Boolean({ description: 'Whether detection ends the attack; default true' })),
})

export const NewCampaign = strictObject({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  template: Type.Optional(oneOf(...templates)),
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Case study of ATLAS (`AML.CS0000`), or group or campaign of the threat library (`G0016`)',
    }),
  ),
  steps: Type.Optional(Type.Array(strictObject(step), { minItems: 1, maxItems: 200 })),
  profile: Type.Optional(oneOf(...attackerProfiles)),
  strategy: Type.Optional(oneOf(...strategies)),
  graph_id: Type.Optional(Uuid),
  start_id: Type.Optional(Uuid),
  goal_id: Type.Optional(Uuid),
  runs: Type.Optional(Type.Integer({ minimum: 100, maximum: 1_000_000 })),
  horizon_hours: Type.Optional(Type.Number({ minimum: 1, maximum: 87_600 })),
  defender: Type.Optional(Defender),
  seed: Type.Optional(Seed),
  cancel: Type.Optional(Uuid),
})
export type NewCampaign = Static<typeof NewCampaign>

/** A step with all its numbers. */
export const CampaignStep = strictObject({
  name: Type.String(),
  technique: nullable(Type.String()),
  probability: Share,
  basis: oneOf('given', 'graph', 'measured', 'model'),
  mean_hours: Type.Number(),
  hours_law: oneOf(...hourLaws),
  detected_on_failure: Share,
  detected_on_success: Share,
  covered: Type.Boolean({ description: 'Whether a control of the graph acts on its technique' }),
})
export type CampaignStep = Static<typeof CampaignStep>

/** A chain of steps that a run may follow. */
export const Chain = strictObject({ weight: Type.Number(), steps: Type.Array(CampaignStep) })
export type Chain = Static<typeof Chain>

export const CampaignInputs = strictObject({
  chains: Type.Array(Chain),
  horizon_hours: Type.Number(),
  response_hours: Type.Number(),
  evicts: Type.Boolean(),
})
export type CampaignInputs = Static<typeof CampaignInputs>

const Interval = strictObject({ low: Share, high: Share })
const OfStep = strictObject({
  chain: Type.Integer(),
  step: Type.Integer(),
  name: Type.String(),
  technique: nullable(Type.String()),
  reached: Type.Integer(),
  done: Type.Integer(),
  failed_here: Type.Integer({ description: 'Runs that ended in this step: evicted or out of time' }),
  attempts_mean: Type.Number(),
})

export const CampaignResult = strictObject({
  runs: Type.Integer(),
  p_goal: Share,
  p_goal_interval: Interval,
  p_detected: Type.Number({ description: 'Share of runs detected before the goal or the horizon' }),
  ttc: nullable(
    strictObject(
      {
        mean_hours: Type.Number(),
        p05: Type.Number(),
        p50: Type.Number(),
        p95: Type.Number(),
      },
      { description: 'Time to compromise of the runs that reached the goal' },
    ),
  ),
  curve: Type.Array(strictObject({ hours: Type.Number(), p_goal: Share })),
  steps: Type.Array(OfStep),
  coverage: strictObject({
    techniques: Type.Integer(),
    covered: Type.Integer(),
    uncovered: Type.Array(Type.String()),
  }),
})
export type CampaignResult = Static<typeof CampaignResult>

const stored = {
  name: Type.String({ maxLength: 300 }),
  template: oneOf(...templates),
  reference: nullable(Type.String({ maxLength: 100 })),
  profile: oneOf(...attackerProfiles),
  graph_id: Uuid,
  start_id: nullable(Uuid),
  goal_id: nullable(Uuid),
  runs: Type.Integer({ minimum: 1 }),
  inputs: CampaignInputs,
  seed: Seed,
  status: oneOf(...runStatuses),
  result: nullable(CampaignResult),
  failure: nullable(Type.String({ maxLength: 500 })),
  created_by: nullable(Uuid),
  started_at: nullable(Timestamp),
  finished_at: nullable(Timestamp),
}
export const CampaignRow = strictObject(resource(stored).properties)
export type CampaignRow = Static<typeof CampaignRow>

const { result: _result, ...shown } = stored
const { ttc, curve, steps, coverage, ...always } = CampaignResult.properties
export const Campaign = strictObject({
  ...resource(shown).properties,
  result: nullable(
    strictObject({
      ...always,
      ttc,
      curve: Type.Optional(curve),
      steps: Type.Optional(steps),
      coverage: Type.Optional(coverage),
    }),
  ),
})
export type Campaign = Static<typeof Campaign>
