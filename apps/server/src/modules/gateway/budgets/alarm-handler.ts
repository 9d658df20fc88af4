import { sql } from '../../../kernel/db/sql.ts'
import type { EventHandlerDeclaration } from '../../../kernel/module/module.ts'
import { requestCompleted } from '../schemas/events.ts'
import { raiseAlarms } from './alarm.ts'

/** Checks the budgets of calls that cost something. */
export const watchBudgets: EventHandlerDeclaration<object> = {
  name: 'gateway.budgets',
  channels: [requestCompleted.channel],
  handle: async ({ tx, kernel, events }) => {
    const calls = events.filter(({ data }) => data.cost !== null).map(({ subject }) => subject)
    if (calls.length === 0) return
    const touched = await tx.query(
      sql<{ id: string }>`
        select distinct budget_id as id from gateway_budget_spend where call_id = any(${calls}::uuid[])`,
    )
    if (touched.length > 0) await raiseAlarms(kernel, tx, { ids: touched.map(({ id }) => id) })
  },
}
