import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Currency } from '../prices/price.ts'
import { Scope } from './schemas.ts'

const Sum = Type.String({ maxLength: 48 })

const level = strictObject({
  budget_id: Uuid,
  scope: Scope,
  level: Type.Integer({ minimum: 1, description: 'Percent.' }),
  spent: Sum,
  amount: Sum,
  currency: Currency,
  resets_at: nullable(Timestamp),
})

export const budgetWarned = defineEvent({
  channel: 'gateway.budget.warned',
  type: 'BudgetWarned',
  summary: 'A budget is used up to one of its levels.',
  schema: level,
})

export const budgetExceeded = defineEvent({
  channel: 'gateway.budget.exceeded',
  type: 'BudgetExceeded',
  summary: 'A budget is used up, or has refused a call for which too little was left.',
  schema: level,
})
