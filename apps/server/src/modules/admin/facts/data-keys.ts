import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact, type FactContext } from '../../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../../kernel/facts/population.ts'
import { nullable, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { dataKeyDays } from '../keys/settings.ts'
import type { AdminServices } from '../services/admin-services.ts'

const DataKey = strictObject({
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  current: Type.Boolean({ description: 'Encrypts new data; older versions only decrypt' }),
})

const Keys = strictObject({
  max_days: nullable(Type.Integer({ minimum: 1, description: 'Age at which a key is replaced; null for none' })),
  ...populationOf(DataKey).properties,
})

export const dataKeysFact = defineFact({
  name: 'admin.data_keys',
  description: 'Data keys of the tenant with their age, and the age at which they are replaced.',
  permission: 'admin:read',
  schema: Keys,
  read: async ({ services, tx }: FactContext<AdminServices>) => {
    const days = services.kernel.settings.get(dataKeyDays, tx.tenantId)
    const found = await readPopulation(tx, {
      count: sql`select coalesce(max(version), 0)::int as total from tenant_data_key`,
      items: sql<Static<typeof DataKey> & { recount: number }>`
        select version, created_at, version = max(version) over () as current, count(*) over ()::int as recount
        from tenant_data_key order by version limit ${mostItems}`,
    })
    return { max_days: days === 0 ? null : days, ...found }
  },
})
