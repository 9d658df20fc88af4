import type { Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../../kernel/facts/population.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { Budget } from '../budgets/schemas.ts'

const { id, name, scope, kind } = Budget.properties
const ActiveBudget = strictObject({ id, name, scope, kind })

export const budgetsFact = defineFact({
  name: 'gateway.budgets',
  description: 'Active budgets with their scopes; a hard one refuses calls that would pass it.',
  permission: 'gateway:read',
  schema: populationOf(ActiveBudget),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select coalesce(sum(budgets), 0)::int as total from (
          select count(*) as budgets from gateway_budget where status = 'active' group by kind) kinds`,
      items: sql<Static<typeof ActiveBudget> & { recount: number }>`
        select id, name, scope, kind, count(*) over ()::int as recount
        from gateway_budget where status = 'active' order by id limit ${mostItems}`,
    }),
})
