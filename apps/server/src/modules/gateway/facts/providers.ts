import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { ProviderRow } from '../schemas/provider.ts'
import { ProviderTerms } from '../schemas/provider-limits.ts'

const { id, name, kind, status, residency, zero_retention, max_classification } = ProviderRow.properties

const OneProvider = strictObject({
  id,
  name,
  kind,
  status,
  residency,
  zero_retention,
  max_classification,
  offline: Type.Boolean({ description: 'The built-in provider, which calls no model' }),
  terms: ProviderTerms,
})

export const providersFact = defineFact({
  name: 'gateway.providers',
  description: 'Providers that are registered, enabled or not: where they work and what their vendors agreed to.',
  permission: 'gateway:read',
  schema: strictObject({
    total: Type.Integer({ minimum: 0, description: 'Providers that are enabled and call a model, counted' }),
    providers: Type.Array(OneProvider),
  }),
  read: async ({ tx }) => {
    const rows = await tx.query(sql<Static<typeof OneProvider>>`
      select id, name, kind, status, residency, zero_retention, max_classification, terms, kind = 'echo' as offline
      from gateway_provider order by name`)
    const counted = await tx.first(sql<{ total: number }>`
      select ((select count(*) from gateway_provider where status = 'enabled')
        - (select count(*) from gateway_provider where status = 'enabled' and kind = 'echo'))::int as total`)
    return { total: counted?.total ?? 0, providers: [...rows] }
  },
})
