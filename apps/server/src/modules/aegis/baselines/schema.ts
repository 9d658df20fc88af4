import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { features } from './engine/features.ts'
import { baselineKinds, detectors, severities } from './engine/finding.ts'

const Count = Type.Integer({ minimum: 0 })
const Amount = Type.Number()
const labels = ['true_positive', 'false_positive'] as const

const anomaly = {
  agent_id: Uuid,
  detector: oneOf(...detectors),
  feature: Type.String({ maxLength: 256 }),
  window_start: Timestamp,
  window_end: Timestamp,
  observed: Amount,
  expected: Amount,
  threshold: Amount,
  baseline: oneOf(...baselineKinds),
  score: Type.Number({ minimum: 0, maximum: 100 }),
  severity: oneOf(...severities),
  contributors: Type.Array(Type.String({ maxLength: 128 }), { maxItems: 100, description: 'Ids of the events' }),
  session_ids: Type.Array(Uuid, { maxItems: 100 }),
  alert_id: nullable(Uuid),
  label: nullable(oneOf(...labels)),
  labeled_at: nullable(Timestamp),
}

export const Anomaly = resource(anomaly)
export type Anomaly = Static<typeof Anomaly>

export const AnomalyFilter = strictObject({
  agent_id: Type.Optional(Uuid),
  detector: Type.Optional(oneOf(...detectors)),
  severity: Type.Optional(oneOf(...severities)),
  label: Type.Optional(oneOf(...labels, 'none')),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Beginning of the feature' })),
})
export type AnomalyFilter = Static<typeof AnomalyFilter>

const BucketBaseline = strictObject({
  day: oneOf('weekday', 'weekend'),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'UTC' }),
  values: Count,
  median: Amount,
  fires_above: nullable(Type.Number({ description: 'In one hour; null with fewer values than a detector needs' })),
})

export const Baseline = strictObject({
  agent_id: Uuid,
  ready: Type.Boolean({ description: 'Whether statistical detectors fire' }),
  warm_up: strictObject({
    since: nullable(Timestamp),
    scored_until: nullable(Timestamp),
    days: Type.Number({ minimum: 0 }),
    days_needed: Count,
    calls: Type.Number({ minimum: 0 }),
    calls_needed: Count,
    values_needed_in_bucket: Count,
    peers: Type.Integer({
      minimum: 0,
      description:
        'Active agents of the same tier with a tag in common and a past, which supply the baseline until then',
    }),
    peers_needed: Count,
  }),
  features: Type.Array(
    strictObject({ feature: oneOf(...features), buckets: Type.Array(BucketBaseline, { maxItems: 48 }) }),
  ),
  tool_mix: Type.Array(strictObject({ tool: Type.String(), calls: Count, share: Type.Number() }), { maxItems: 200 }),
  transitions: Type.Array(
    strictObject({
      from: nullable(Type.String({ description: 'Null for the start' })),
      to: nullable(Type.String({ description: 'Null for the end' })),
      count: Count,
      probability: Type.Number({ minimum: 0, maximum: 1 }),
    }),
    { maxItems: 50, description: 'The most frequent steps from tool to tool' },
  ),
  sequence: strictObject({
    windows: Count,
    median_bits: nullable(Amount),
    fires_above_bits: nullable(Amount),
  }),
})
export type Baseline = Static<typeof Baseline>

export const BaselineQuery = strictObject({
  feature: Type.Optional(oneOf(...features)),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 28, description: 'Days of the tool mix, of the last 28' })),
})
export type BaselineQuery = Static<typeof BaselineQuery>
