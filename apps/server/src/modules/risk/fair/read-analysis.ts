import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { AnalysisBrief } from '../register/schema.ts'
import { checkedPlan, nodeValues } from './plan.ts'
import type { Analysis, AnalysisRow } from './schema.ts'
import { analyses } from './tables.ts'
import { analysisView, type Included } from './view.ts'

/** One analysis with the other versions of its risk. @throws API-013 */
export async function seeAnalysis(tx: Tx, id: string, included: Included): Promise<Analysis> {
  const row = await analyses.need(tx, id)
  const versions = await versionsOf(tx, row.risk_id)
  return {
    ...analysisView(row, included),
    ...(included.has('nodes') ? { nodes: nodeValues(checkedPlan(row.model, '')) } : {}),
    versions: versions
      .filter(({ purpose }) => purpose === row.purpose)
      .map(({ currency: _currency, ...brief }) => brief),
  }
}

/** The newest 100 analyses of a risk, newest first. */
export async function versionsOf(tx: Tx, riskId: string): Promise<AnalysisBrief[]> {
  const rows = await tx.query(
    sql<AnalysisBrief>`
      select id, number as version, purpose, status, current, created_at, mean, var95, currency
      from risk_analysis where risk_id = ${riskId} order by number desc limit 100`,
  )
  return [...rows]
}

/** The analyses of these ids. */
export function findAnalyses(tx: Tx, ids: readonly string[]): Promise<readonly AnalysisRow[]> {
  return tx.query(sql<AnalysisRow>`select ${analyses.columns} from risk_analysis where id = any(${[...ids]}::uuid[])`)
}
