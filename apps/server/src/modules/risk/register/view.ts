import { Versioned } from '../../../kernel/module/route.ts'
import { movesFrom } from '../scoring/states.ts'
import { reference } from './reference.ts'
import type { ChangeParts } from './register-parts.ts'
import type { ListedRisk, Risk, RiskRow } from './schema.ts'
import { appetiteOf } from './settings.ts'
import { openActions } from './treatment.ts'

/** A risk with all that it holds. */
export function riskView(
  parts: Pick<ChangeParts, 'settings'>,
  tenantId: Parameters<typeof appetiteOf>[1],
  row: RiskRow,
): Risk {
  const {
    version: _version,
    number: _number,
    acceptance_until: _until,
    next_deadline_at: _next,
    measured_at: _measured,
    ...shown
  } = row
  return {
    ...shown,
    reference: reference(row),
    effective_appetite: appetiteOf(parts, tenantId, row),
    allowed_moves: [...movesFrom(row.status)],
  }
}

/** A risk as the list shows it. */
export function listedRisk(row: RiskRow): Versioned<ListedRisk> {
  const counts = row.residual ?? row.inherent
  return new Versioned(
    {
      id: row.id,
      tenant_id: row.tenant_id,
      created_at: row.created_at,
      updated_at: row.updated_at,
      reference: reference(row),
      title: row.title,
      category: row.category,
      owner_id: row.owner_id,
      status: row.status,
      score: row.score,
      rating: row.rating,
      above_tolerance: row.above_tolerance,
      residual_var95: counts.var95,
      currency: counts.currency,
      review_due_at: row.review_due_at,
      open_actions: openActions(row.treatment),
      red_kris: row.kris.filter(({ status }) => status === 'red').length,
    },
    row.version,
  )
}
