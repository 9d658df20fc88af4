import Type, { type Static } from 'typebox'
import { oneOf, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })
const counts = {
  evaluated: Count,
  matched: Count,
  would_block: Count,
  blocked: Count,
  redacted: Count,
  held: Count,
  errors: Count,
}

export const MetricRow = strictObject({
  tenant_id: Uuid,
  guardrail_id: Uuid,
  version: Type.Integer({ minimum: 1 }),
  minute: Timestamp,
  ...counts,
  /** Evaluations by their time: place n counts those below 2^n microseconds. */
  durations: Type.Array(Count),
})
export type MetricRow = Static<typeof MetricRow>
export type MetricCounts = Pick<MetricRow, keyof typeof counts>

const P = Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
  description: 'Microseconds, as the next power of two',
})
const summary = { ...counts, p50_us: P, p99_us: P }

export const MetricsQuery = strictObject({
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  bucket: Type.Optional(oneOf('minute', 'hour', 'day')),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
})
export type MetricsQuery = Static<typeof MetricsQuery>

export const GuardrailMetrics = strictObject({
  from: Timestamp,
  to: Timestamp,
  bucket: oneOf('minute', 'hour', 'day'),
  totals: Type.Array(strictObject({ version: Type.Integer({ minimum: 1 }), ...summary })),
  series: Type.Array(strictObject({ at: Timestamp, version: Type.Integer({ minimum: 1 }), ...summary })),
})
export type GuardrailMetrics = Static<typeof GuardrailMetrics>
