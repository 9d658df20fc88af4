import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { type Included, without } from '../fair/view.ts'
import type { SimulationBrief } from '../register/schema.ts'
import type { Simulation, SimulationRow } from './schema.ts'
import { simulations } from './tables.ts'

export interface Wanted {
  /** An id, or `latest` for the newest completed one. */
  readonly id: string
  readonly kind?: SimulationRow['kind']
  readonly riskId?: string
}

/** @throws API-013 */
export async function findSimulation(tx: Tx, { id, kind, riskId }: Wanted): Promise<SimulationRow> {
  if (id !== 'latest') return simulations.need(tx, id)
  const row = await tx.first(sql<SimulationRow>`
    select ${simulations.columns} from risk_simulation
    where status = 'completed' and (${kind ?? null}::text is null or kind = ${kind ?? null}::text)
      and (${riskId ?? null}::uuid is null or ${riskId ?? null}::uuid = any(risk_ids))
    order by created_at desc, id desc limit 1`)
  if (row === null) throw apiErrors.notFound({ what: 'simulation' })
  return row
}

export function simulationView(row: SimulationRow, included: Included): Simulation {
  const { inputs, result, mean: _m, var95: _v, tvar95: _t, ...shown } = row
  return {
    ...shown,
    sampling: inputs.sampling,
    target: inputs.target,
    correlated: inputs.correlation !== null,
    result: result === null ? null : shownResult(result, included),
  }
}

function shownResult(result: NonNullable<SimulationRow['result']>, included: Included): Simulation['result'] {
  const { statistics, contributions, ...rest } = result
  return {
    ...rest,
    statistics:
      statistics === null
        ? null
        : { ...without(statistics, included), ...(included.has('trace') ? { trace: statistics.trace } : {}) },
    ...(included.has('contributions') ? { contributions } : {}),
  }
}

/** The newest 20 simulations of a risk, newest first. */
export async function simulationsOfRisk(tx: Tx, riskId: string): Promise<SimulationBrief[]> {
  const rows = await tx.query(
    sql<SimulationBrief>`
      select id, kind, status, created_at, mean, var95 from risk_simulation
      where ${riskId}::uuid = any(risk_ids) order by created_at desc, id desc limit 20`,
  )
  return [...rows]
}

/** Simulations that an analysis is part of, newest first. */
export async function simulationsOfAnalysis(
  tx: Tx,
  analysisId: string,
): Promise<Pick<SimulationRow, 'id' | 'kind' | 'status'>[]> {
  const rows = await tx.query(
    sql<Pick<SimulationRow, 'id' | 'kind' | 'status'>>`
      select id, kind, status from risk_simulation
      where ${analysisId}::uuid = any(analysis_ids) order by created_at desc, id desc limit 20`,
  )
  return [...rows]
}
