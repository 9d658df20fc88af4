import Type, { type Static } from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { prices } from '../prices/tables.ts'
import { alertLevels, budgetKinds, budgetStatuses, Scope, unpricedRules } from './schemas.ts'
import { windowKinds } from './windows.ts'

const settings = { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' } as const
const spending = { category: 'spending', subject: [], retention: 'P400D', erasure: 'none' } as const

/** `numeric` is read as text, because a number would round it. */
const NanoText = Type.String({ pattern: '^-?\\d{1,38}$', maxLength: 39 })

export const BudgetRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  name: Type.String({ maxLength: 63 }),
  scope: Scope,
  amount_nano: NanoText,
  currency: Type.String({ maxLength: 3 }),
  window_kind: oneOf(...windowKinds),
  window_hours: nullable(Type.Integer()),
  time_zone: Type.String({ maxLength: 64 }),
  kind: oneOf(...budgetKinds),
  alert_at: alertLevels,
  on_unpriced: oneOf(...unpricedRules),
  status: oneOf(...budgetStatuses),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type BudgetRow = Static<typeof BudgetRow>

export const budgets = table({
  name: 'gateway_budget',
  inTenantCopies: true,
  row: BudgetRow,
  sorts: ['created_at', 'name'],
  noun: 'budget',
  data: settings,
})

/**
 * Spent and reserved amounts per window, or per part of a rolling window. Changed only under the lock of the budget.
 */
export const balances = table({
  name: 'gateway_budget_balance',
  row: strictObject({
    tenant_id: Uuid,
    budget_id: Uuid,
    bucket: Timestamp,
    spent_nano: NanoText,
    reserved_nano: NanoText,
  }),
  key: ['budget_id', 'bucket'],
  data: spending,
})

/** Maximum remaining cost of running calls, one row each, so that the holds of dead processes can be closed. */
export const holds = table({
  name: 'gateway_budget_hold',
  row: strictObject({
    tenant_id: Uuid,
    id: Uuid,
    budget_id: Uuid,
    call_id: Uuid,
    bucket: Timestamp,
    amount_nano: NanoText,
    expires_at: Timestamp,
    created_at: Timestamp,
  }),
  dueBy: ['id', 'expires_at'],
  data: spending,
})

export const spendSources = ['call', 'sweep', 'late', 'adjustment'] as const

export const SpendRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  budget_id: Uuid,
  call_id: nullable(Uuid),
  source: oneOf(...spendSources),
  bucket: Timestamp,
  amount_nano: NanoText,
  estimated: Type.Boolean(),
  reason: nullable(Type.String({ maxLength: 500 })),
  created_at: Timestamp,
})
export type SpendRow = Static<typeof SpendRow>

/**
 * The ledger: one entry per call and budget, a second one if the first was an estimate, and one per correction. Written
 * with the outcome of the call.
 */
export const spends = table({
  name: 'gateway_budget_spend',
  row: SpendRow,
  append: true,
  appendOnly: true,
  data: spending,
})

/** Holds whose calls have ended; the next transaction that locks the budget moves them from reserved to spent. */
export const settledHolds = table({
  name: 'gateway_budget_settled',
  row: strictObject({ tenant_id: Uuid, id: Uuid, budget_id: Uuid, amount_nano: NanoText, estimated: Type.Boolean() }),
  append: true,
  dueBy: ['id'],
  data: spending,
})

/** Levels already reported, so that each is reported once per window. */
export const alerts = table({
  name: 'gateway_budget_alert',
  row: strictObject({
    tenant_id: Uuid,
    budget_id: Uuid,
    bucket: Timestamp,
    level: Type.Integer(),
    at: Timestamp,
  }),
  key: ['budget_id', 'bucket', 'level'],
  data: spending,
})

const counter = Type.Integer({ minimum: 0 })
const label = nullable(Type.String())
const labels = Type.Array(Type.String())

/** Calls of an hour that are equal in every dimension of analytics. */
export const usageCells = table({
  name: 'gateway_usage_cell',
  row: strictObject({
    tenant_id: Uuid,
    hour: Timestamp,
    key: Type.String(),
    offline: Type.Boolean(),
    provider: label,
    model: label,
    route: label,
    user_id: Uuid,
    key_id: label,
    agent_id: label,
    decision: Type.String(),
    code: label,
    tags: labels,
    policies: labels,
    currency: label,
    requests: counter,
    input_tokens: counter,
    cached_tokens: counter,
    output_tokens: counter,
    cost_nano: NanoText,
    saved_nano: NanoText,
    budgeted_nano: NanoText,
    unpriced_requests: counter,
    fail_open: counter,
    cache_hits: counter,
    tallies: Type.Unsafe<Readonly<Record<string, number>>>({ type: 'object' }),
  }),
  key: ['hour', 'key'],
  data: { ...spending, category: 'model_call', subject: ['user_id'], erasure: 'keep_pseudonymous' },
})

export const moneyTables = [prices, budgets, balances, holds, spends, settledHolds, alerts, usageCells] as const
