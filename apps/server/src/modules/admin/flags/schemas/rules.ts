import Type, { type Static } from 'typebox'
import { oneOf, strictObject } from '../../../../kernel/schema/types.ts'

export const FlagKey = Type.String({ pattern: '^[a-z0-9][a-z0-9_.-]{0,99}$', maxLength: 100 })
/** Of a variant, a rule. */
export const Name = Type.String({ pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N}_.:/ -]{0,99}$', maxLength: 100 })
const Attribute = Type.String({ pattern: '^[A-Za-z_$][\\w.$-]{0,99}$', maxLength: 100 })

export const operators = [
  'IN',
  'NOT_IN',
  'STR_CONTAINS',
  'STR_STARTS_WITH',
  'STR_ENDS_WITH',
  'NUM_EQ',
  'NUM_GT',
  'NUM_GTE',
  'NUM_LT',
  'NUM_LTE',
  'DATE_BEFORE',
  'DATE_AFTER',
  'SEMVER_EQ',
  'SEMVER_GT',
  'SEMVER_GTE',
  'SEMVER_LT',
  'SEMVER_LTE',
  'REGEX',
  'CIDR',
] as const
export type Operator = (typeof operators)[number]

export const Constraint = strictObject({
  attribute: Attribute,
  operator: oneOf(...operators),
  values: Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 }),
  case_insensitive: Type.Optional(Type.Boolean({ description: 'Of STR_* and REGEX' })),
  inverted: Type.Optional(Type.Boolean()),
})
export type Constraint = Static<typeof Constraint>

const Weight = Type.Integer({ minimum: 0, maximum: 1_000_000 })

const Serve = strictObject({
  variant: Type.Optional(Name),
  split: Type.Optional(Type.Array(strictObject({ variant: Name, weight: Weight }), { minItems: 1, maxItems: 50 })),
  split_by: Type.Optional(Type.Array(Attribute, { maxItems: 5, description: 'Default: as `bucket_by`' })),
  split_seed: Type.Optional(Type.String({ maxLength: 200 })),
})

export const Rule = strictObject({
  id: Name,
  constraints: Type.Optional(Type.Array(Constraint, { maxItems: 50 })),
  segment_ids: Type.Optional(Type.Array(FlagKey, { maxItems: 20 })),
  serve: Serve,
  rollout_percentage: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: 'Steps of 0.001; default 100' }),
  ),
  bucket_by: Type.Optional(
    Type.Array(Attribute, { maxItems: 5, description: 'The first that the context has; default `targetingKey`' }),
  ),
  seed: Type.Optional(Type.String({ maxLength: 200, description: 'Default: flag key and rule id' })),
})
export type Rule = Static<typeof Rule>
