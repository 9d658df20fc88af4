import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { ConfigNode } from '../config/schemas.ts'

const Status = oneOf('pass', 'warn', 'fail')

const CheckView = strictObject({
  status: Status,
  latency_ms: Type.Number({ minimum: 0 }),
  since: Timestamp,
  checked_at: Timestamp,
  last_status: Status,
  error_class: nullable(Type.String({ maxLength: 100 })),
  observed: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown()),
})

const KeyView = strictObject({
  purpose: Type.String({ maxLength: 40 }),
  kid: Type.String({ maxLength: 200 }),
  algorithm: Type.String({ maxLength: 20 }),
  status: Type.String({ maxLength: 20 }),
  created_at: nullable(Timestamp),
  activates_at: nullable(Timestamp),
  retires_at: nullable(Timestamp),
  uses: nullable(Type.Integer({ minimum: 0 })),
  rotates_at: nullable(Timestamp),
})

export const Health = strictObject({
  status: Status,
  checks: Type.Record(Type.String({ maxLength: 100 }), CheckView),
  keys: Type.Array(KeyView, { maxItems: 1000 }),
  nodes: Type.Array(ConfigNode, { maxItems: 1000 }),
})
export type Health = Static<typeof Health>

export const HealthQuery = strictObject({
  checks: Type.Optional(
    Type.String({
      pattern: '^[a-z_]{1,100}(,[a-z_]{1,100})*$',
      maxLength: 1000,
      description: 'Names with commas between them',
    }),
  ),
  max_age_ms: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 600_000, description: 'Run what was last run longer ago; default 10,000' }),
  ),
})
export type HealthQuery = Static<typeof HealthQuery>
