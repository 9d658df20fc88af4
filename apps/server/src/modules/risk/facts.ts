/** Facts of the register that other modules may read by name. Tested in apps/server/test/generated/facts.test.ts. */
import Type from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'
import { states } from './scoring/states.ts'
import { categories, ratings } from './scoring/words.ts'

const Count = Type.Integer({ minimum: 0 })
const mostRisks = 100

const Counts = {
  open: Type.Integer({ minimum: 0, description: 'Risks that are not closed' }),
  above_tolerance: Count,
  very_high: Count,
  high: Count,
  moderate: Count,
  low: Count,
  very_low: Count,
}

const Shown = strictObject({
  id: Uuid,
  title: Type.String({ maxLength: 200 }),
  category: oneOf(...categories),
  status: oneOf(...states),
  score: Type.Number({ minimum: 0, maximum: 100 }),
  rating: oneOf(...ratings),
  above_tolerance: Type.Boolean(),
})

export const registerFact = defineFact({
  name: 'risk.register',
  description: 'Risks that are not closed by rating, and the 100 with the highest scores.',
  permission: 'risk:read',
  schema: strictObject({ ...Counts, risks: Type.Array(Shown, { maxItems: mostRisks }) }),
  read: async ({ tx }) => {
    const counts = await tx.first(sql<{ [K in keyof typeof Counts]: number }>`
      select count(*)::int as open, (count(*) filter (where above_tolerance))::int as above_tolerance,
        (count(*) filter (where rating = 'very_high'))::int as very_high,
        (count(*) filter (where rating = 'high'))::int as high,
        (count(*) filter (where rating = 'moderate'))::int as moderate,
        (count(*) filter (where rating = 'low'))::int as low,
        (count(*) filter (where rating = 'very_low'))::int as very_low
      from risk_register where status <> 'closed'`)
    const risks = await tx.query(sql<{
      id: string
      title: string
      category: (typeof categories)[number]
      status: (typeof states)[number]
      score: number
      rating: (typeof ratings)[number]
      above_tolerance: boolean
    }>`
      select id, title, category, status, score, rating, above_tolerance from risk_register where status <> 'closed'
      order by score desc, id limit ${mostRisks}`)
    const none = { open: 0, above_tolerance: 0, very_high: 0, high: 0, moderate: 0, low: 0, very_low: 0 }
    return { ...(counts ?? none), risks: [...risks] }
  },
})

interface Losses {
  readonly source: 'portfolio' | 'risk'
  readonly source_id: string
  readonly title: string
  readonly currency: string
  readonly mean: number | null
  readonly var_95: number | null
  readonly as_of: string
  readonly curve: readonly { readonly loss: number; readonly probability: number }[] | null
}

const Amount = Type.Number({ minimum: 0 })
const mostPoints = 50

export const lossesFact = defineFact({
  name: 'risk.losses',
  description:
    'Annual loss of the newest completed portfolio simulation or, without one, of the open risk whose residual analysis has the highest mean, with its loss-exceedance curve.',
  permission: 'risk:read',
  schema: strictObject({
    source: nullable(oneOf('portfolio', 'risk')),
    source_id: nullable(Uuid),
    title: nullable(Type.String({ maxLength: 200 })),
    currency: nullable(Type.String({ maxLength: 3 })),
    mean: nullable(Amount),
    var_95: nullable(Amount),
    as_of: nullable(Timestamp),
    curve: Type.Array(strictObject({ loss: Amount, probability: Type.Number({ minimum: 0, maximum: 1 }) }), {
      maxItems: mostPoints,
      description: 'Probability that the loss of a year is higher',
    }),
  }),
  read: async ({ tx }) => {
    const found =
      (await tx.first(sql<Losses>`
        select 'portfolio' as source, id as source_id, 'Portfolio of ' || cardinality(risk_ids) || ' risks' as title,
          currency, mean, var95 as var_95, coalesce(finished_at, updated_at) as as_of,
          result -> 'statistics' -> 'lec' as curve
        from risk_simulation where kind = 'portfolio' and status = 'completed' and var95 is not null
        order by created_at desc, id desc limit 1`)) ??
      (await tx.first(sql<Losses>`
        select 'risk' as source, risk.id as source_id, risk.title, held.currency, held.mean, held.var95 as var_95,
          held.updated_at as as_of, coalesce(held.result -> 'exact' -> 'lec', held.result -> 'monte_carlo' -> 'lec') as curve
        from risk_analysis held join risk_register risk on risk.id = held.risk_id
        where held.current and held.purpose = 'residual' and held.status = 'completed' and held.mean is not null
          and risk.status <> 'closed'
        order by held.mean desc, held.id limit 1`))
    if (found === null)
      return {
        ...{ source: null, source_id: null, title: null, currency: null, mean: null, var_95: null, as_of: null },
        curve: [],
      }
    const { curve, ...rest } = found
    return { ...rest, curve: thinned(curve ?? []) }
  },
})

/** The ends, and points between them at equal steps. */
function thinned(points: NonNullable<Losses['curve']>) {
  const step = Math.max(1, Math.ceil(points.length / (mostPoints - 1)))
  return points
    .filter((_, index) => index % step === 0 || index === points.length - 1)
    .map(({ loss, probability }) => ({ loss, probability }))
}
