import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, Slug, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { amountPattern, signedAmountPattern } from '../prices/amounts.ts'
import { Currency } from '../prices/price.ts'
import { windowKinds } from './windows.ts'

const opt = Type.Optional

export const budgetKinds = ['hard', 'soft'] as const
export const budgetStatuses = ['active', 'paused', 'archived'] as const
export const unpricedRules = ['block', 'flag'] as const

export const scopeKinds = ['tenant', 'user', 'role', 'key', 'agent', 'provider', 'model', 'route', 'tag'] as const
export type ScopeKind = (typeof scopeKinds)[number]

/** The whole tenant needs no value; a model may be a pattern; every other kind names one. */
export const ScopeRule = strictObject({
  kind: oneOf(...scopeKinds),
  value: opt(Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' })),
})
export type ScopeRule = Static<typeof ScopeRule>
export const Scope = Type.Array(ScopeRule, { minItems: 1, maxItems: 8, description: 'All must fit a call.' })

export const alertLevels = Type.Array(Type.Integer({ minimum: 1, maximum: 1000 }), {
  maxItems: 10,
  description: 'Percent of the amount.',
})

export const Amount = Type.String({ pattern: amountPattern, maxLength: 22, description: 'Decimal.' })
const SignedAmount = Type.String({ pattern: signedAmountPattern, maxLength: 23, description: 'Decimal.' })
/** Sums may be larger than the amounts accepted as input. */
const Sum = Type.String({ pattern: '^-?\\d+(?:\\.\\d{1,9})?$', maxLength: 48, description: 'Decimal.' })

const TimeZone = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$',
  maxLength: 64,
  description: 'IANA name of the zone in which calendar windows begin; UTC by default.',
})
const WindowHours = Type.Integer({ minimum: 1, maximum: 8784, description: 'Length of a rolling window.' })

export const Budget = resource({
  name: Slug,
  scope: Scope,
  amount: Amount,
  currency: Currency,
  window: oneOf(...windowKinds),
  window_hours: nullable(WindowHours),
  time_zone: TimeZone,
  kind: oneOf(...budgetKinds),
  alert_at: alertLevels,
  on_unpriced: oneOf(...unpricedRules),
  status: oneOf(...budgetStatuses),
  spent: Sum,
  reserved: Sum,
  remaining: Sum,
  resets_at: nullable(Timestamp),
  forecast: nullable(Sum),
})
export type Budget = Static<typeof Budget>

/** A budget has no page of its own, so the list includes its entity tag. */
export const ListedBudget = listed(Budget)

export const CreateBudget = strictObject({
  name: Slug,
  scope: Scope,
  amount: Amount,
  currency: opt(Currency),
  window: oneOf(...windowKinds),
  window_hours: opt(WindowHours),
  time_zone: opt(TimeZone),
  kind: opt(oneOf(...budgetKinds)),
  alert_at: opt(alertLevels),
  on_unpriced: opt(oneOf(...unpricedRules)),
})
export type CreateBudget = Static<typeof CreateBudget>

export const PatchBudget = strictObject({
  name: opt(Slug),
  amount: opt(Amount),
  kind: opt(oneOf(...budgetKinds)),
  alert_at: opt(alertLevels),
  on_unpriced: opt(oneOf(...unpricedRules)),
  status: opt(oneOf(...budgetStatuses)),
  adjust: opt(
    strictObject(
      { amount: SignedAmount, reason: Type.String({ minLength: 10, maxLength: 500 }) },
      { description: 'Books a correction in the running window; a negative one gives money back.' },
    ),
  ),
})
export type PatchBudget = Static<typeof PatchBudget>

export const BudgetFilter = strictObject({
  scope: opt(oneOf(...scopeKinds)),
  status: opt(oneOf(...budgetStatuses)),
})
export type BudgetFilter = Static<typeof BudgetFilter>
