import Type, { type Static } from 'typebox'
import { mergePatch, strictObject } from '../../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0, maximum: 10_000_000 })

/** Upper bounds; a quota that is left out is not bounded. */
export const QuotaValues = strictObject({
  users: Type.Optional(Count),
  service_accounts: Type.Optional(Count),
  api_keys: Type.Optional(Count),
  requests_per_minute: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Requests of every kind in any 60 s' }),
  ),
  llm_tokens_per_day: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000_000,
      description: 'Tokens of model calls, read and written, in a day of UTC',
    }),
  ),
  storage_mb: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Megabytes (1,000,000 bytes) of stored files, such as exports of calls; rows and backups are none',
    }),
  ),
  retention_days: Type.Optional(
    Type.Integer({
      minimum: 30,
      maximum: 3650,
      description:
        'Days for which logged model calls are kept at most, also where `gateway.log_retention_days` says more; each tenant below may have as many',
    }),
  ),
})
export type QuotaValues = Static<typeof QuotaValues>

/** Null removes a quota: then the remainder of the quota of the tenant above applies. */
export const QuotasPatch = mergePatch(QuotaValues.properties)
export type QuotasPatch = Static<typeof QuotasPatch>

/** Current usage of each quota. */
export const QuotaUsage = strictObject({
  users: Type.Integer(),
  service_accounts: Type.Integer(),
  api_keys: Type.Integer(),
  requests_per_minute: Type.Integer({ description: 'In the last 60 s; 0 where no quota is set' }),
  llm_tokens_per_day: Type.Integer({ description: 'Since midnight of UTC' }),
  storage_mb: Type.Integer({ description: 'Begun ones count whole' }),
})
export type QuotaUsage = Static<typeof QuotaUsage>
