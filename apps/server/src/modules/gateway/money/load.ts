/** Money data of a tenant for the pipeline: its budgets in force and the prices it set. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'
import { type Budget, withWindow } from '../budgets/budget.ts'
import type { ScopeRule } from '../budgets/schemas.ts'
import type { BudgetRow } from '../budgets/tables.ts'
import { createPriceBook, type PriceBook, type PriceOverride } from '../prices/price-book.ts'
import { shippedPrices } from '../prices/shipped/shipped.ts'

export interface TenantMoney {
  readonly budgets: readonly Budget[]
  readonly prices: PriceBook
  /** The tenant's quota; null where none is set. */
  readonly tokensPerDay: number | null
}

type StoredBudget = Pick<
  BudgetRow,
  'id' | 'name' | 'scope' | 'currency' | 'window_kind' | 'window_hours' | 'time_zone' | 'kind' | 'on_unpriced'
>

interface LoadParts {
  readonly kernel: Pick<Kernel, 'db'>
  readonly iam: Pick<IamApi, 'roleNames' | 'quotas'>
}

export async function loadMoney({ kernel, iam }: LoadParts, tenantId: TenantId): Promise<TenantMoney> {
  const [row] = await kernel.db.read(tenantId, money)
  const { llm_tokens_per_day: tokensPerDay = null } = await iam.quotas(tenantId)
  const stored = row?.budgets ?? []
  const named = stored.some(({ scope }) => scope.some(({ kind }) => kind === 'role'))
  const roles = named ? await iam.roleNames(tenantId) : noRoles
  return {
    budgets: stored.map((budget) => readBudget(budget, roles)),
    prices: createPriceBook(shippedPrices, row?.prices ?? []),
    tokensPerDay,
  }
}

const noRoles: ReadonlyMap<string, string> = new Map()

/** Times in the format of our own clock, so that they can be compared as text. */
const money = sql<{ budgets: readonly StoredBudget[]; prices: readonly PriceOverride[] }>`
  select
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'scope', scope, 'currency', currency,
        'window_kind', window_kind, 'window_hours', window_hours, 'time_zone', time_zone, 'kind', kind,
        'on_unpriced', on_unpriced) order by id), '[]')
      from gateway_budget where status = 'active') as budgets,
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'provider_id', provider_id, 'model', model, 'sheet', sheet,
        'valid_from', to_char(valid_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]')
      from gateway_price) as prices`

function readBudget(stored: StoredBudget, roles: ReadonlyMap<string, string>): Budget {
  return withWindow({
    id: stored.id,
    name: stored.name,
    scope: stored.scope.map((rule) => named(rule, roles)),
    currency: stored.currency,
    rule: { kind: stored.window_kind, hours: stored.window_hours, timeZone: stored.time_zone },
    kind: stored.kind,
    onUnpriced: stored.on_unpriced,
  })
}

function named(rule: ScopeRule, roles: ReadonlyMap<string, string>): ScopeRule {
  if (rule.kind !== 'role' || rule.value === undefined) return rule
  return { kind: 'role', value: roles.get(rule.value) ?? rule.value }
}
