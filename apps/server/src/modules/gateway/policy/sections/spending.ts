import Type, { type Static } from 'typebox'
import { oneOf, strictObject } from '../../../../kernel/schema/types.ts'
import { Currency } from '../../prices/price.ts'
import { opt, ruleId } from '../../words/policy-words.ts'

export const limitUnits = ['requests', 'input_tokens', 'output_tokens', 'cost', 'concurrent'] as const

export const Limits = Type.Array(
  strictObject({
    id: ruleId,
    per: oneOf('tenant', 'user', 'key', 'agent'),
    unit: oneOf(...limitUnits),
    max: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Of costs: whole units of the currency.' }),
    window_seconds: opt(
      Type.Integer({ minimum: 1, maximum: 86_400, description: 'Required for everything but concurrent calls.' }),
    ),
    currency: opt(Type.Unsafe<Static<typeof Currency>>({ ...Currency, description: 'Required for costs.' })),
  }),
  { maxItems: 32 },
)

export const BudgetRules = strictObject({
  require: opt(Type.Boolean({ description: 'Calls that no budget covers are refused.' })),
  on_unpriced: opt(oneOf('block', 'flag')),
})
