import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp } from '../../../kernel/schema/types.ts'

const opt = Type.Optional

export const dimensions = [
  'provider',
  'model',
  'route',
  'user',
  'key',
  'agent',
  'tag',
  'policy',
  'decision',
  'code',
] as const
export type Dimension = (typeof dimensions)[number]

export const metrics = [
  'requests',
  'tokens',
  'cost',
  'unpriced_requests',
  'blocked',
  'redacted',
  'flagged',
  'fail_open',
  'cache_saved',
  'latency',
  'ttft',
  'pipeline',
] as const
export type Metric = (typeof metrics)[number]

export const intervals = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

/** A list of words, separated by commas. */
function listOf(words: readonly string[], most: number, description: string) {
  const word = `(?:${words.join('|')})`
  return Type.String({ pattern: `^${word}(?:,${word}){0,${most - 1}}$`, maxLength: 200, description })
}

export const UsageQuery = strictObject({
  from: opt(Timestamp),
  to: opt(Timestamp),
  interval: opt(oneOf(...intervals)),
  group_by: opt(listOf(dimensions, 3, `Up to three of ${dimensions.join(', ')}, with commas between.`)),
  metrics: opt(listOf(metrics, metrics.length, 'What to show; all by default.')),
  offline: opt(Type.Boolean({ description: 'Counts calls of the demo provider instead of real ones.' })),
})
export type UsageQuery = Static<typeof UsageQuery>

const Count = Type.Integer({ minimum: 0 })
const Money = Type.Array(
  strictObject({
    amount: Type.String({ maxLength: 48, description: 'Decimal.' }),
    currency: Type.String({ maxLength: 3 }),
  }),
  { description: 'One sum per currency.' },
)
const Ms = nullable(Type.Number({ minimum: 0 }))
const quantiles = { p50: Ms, p95: Ms, p99: Ms }

const shown = {
  requests: opt(Count),
  tokens: opt(strictObject({ input: Count, cached: Count, output: Count, total: Count })),
  cost: opt(Money),
  unpriced_requests: opt(Count),
  blocked: opt(Count),
  redacted: opt(Count),
  flagged: opt(Count),
  fail_open: opt(Count),
  cache_saved: opt(strictObject({ requests: Count, cost: Money })),
  latency_ms: opt(strictObject(quantiles)),
  ttft_ms: opt(strictObject(quantiles)),
  pipeline_ms: opt(
    strictObject({
      ...quantiles,
      steps: Type.Record(Type.String({ maxLength: 32 }), Type.Number({ minimum: 0 }), {
        description: 'Mean milliseconds a call spent in each step.',
      }),
    }),
  ),
}

const label = opt(nullable(Type.String({ maxLength: 256 })))
const Group = strictObject({
  provider: label,
  model: label,
  route: label,
  user: label,
  key: label,
  agent: label,
  tag: label,
  policy: label,
  decision: label,
  code: label,
})
export type Group = Static<typeof Group>

export const UsageTotals = strictObject(shown)
export type UsageTotals = Static<typeof UsageTotals>

export const UsagePoint = strictObject({ at: Timestamp, group: Group, ...shown })
export type UsagePoint = Static<typeof UsagePoint>

export const Usage = strictObject({
  from: Timestamp,
  to: Timestamp,
  interval: oneOf(...intervals),
  series: Type.Array(UsagePoint, {
    description: 'Grouped by tag or policy, a call counts for each that it had.',
  }),
  totals: UsageTotals,
})
export type Usage = Static<typeof Usage>
