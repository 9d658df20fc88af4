import { Type } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { table } from '../../../kernel/db/table.ts'
import { Uuid } from '../../../kernel/schema/types.ts'

/** How many accounts a tenant has: the sum of a few rows, which triggers of `iam_user` keep. Tested in user-counts.test.ts. */
export const userCounts = table({
  name: 'iam_user_count',
  key: ['spread'],
  row: Type.Object({ tenant_id: Uuid, spread: Type.Integer(), accounts: Type.Integer() }),
  data: { category: 'usage', subject: [], retention: 'tenant', erasure: 'none' },
})

/** All accounts of the tenant, as an expression. */
export const allAccounts = sql`(select coalesce(sum(accounts), 0)::int from iam_user_count)`
