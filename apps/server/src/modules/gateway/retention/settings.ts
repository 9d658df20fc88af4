import Type from 'typebox'
import { defineSetting } from '../../../kernel/settings/define.ts'

/** Of the calls' rows; their content has the days of the policy that kept it. */
export const logRetentionDays = defineSetting({
  key: 'gateway.log_retention_days',
  schema: Type.Integer({ minimum: 30, maximum: 3650 }),
  default: 400,
  scope: 'both',
  description: 'Days for which logged calls are kept; fewer where the quota `retention_days` of the tenant is lower.',
})
