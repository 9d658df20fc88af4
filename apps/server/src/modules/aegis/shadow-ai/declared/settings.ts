import Type from 'typebox'
import { strictObject } from '../../../../kernel/schema/types.ts'
import { defineSetting } from '../../../../kernel/settings/define.ts'

export const shadowAiSettings = defineSetting({
  key: 'aegis.shadow_ai',
  schema: strictObject({
    pseudonymize_users: Type.Boolean({
      description: 'Store HMAC pseudonyms under a key of the tenant instead of users, names and addresses of logs',
    }),
    restricted_departments: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 100,
      uniqueItems: true,
      description: 'Departments that handle restricted data',
    }),
    high_risk: Type.Number({
      minimum: 1,
      maximum: 100,
      description: 'Risk score from which the first use of a service is a high risk',
    }),
  }),
  default: { pseudonymize_users: false, restricted_departments: [], high_risk: 60 },
  scope: 'tenant',
  description: 'Discovery of undeclared AI services in logs',
})
