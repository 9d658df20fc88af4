/** Completes an analysis: it becomes the current one of its purpose and gives the risk its money. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import { hold } from '../../../kernel/resource/resource.ts'
import { applyChange, riskResource } from '../register/apply-change.ts'
import { quantified } from '../register/levels.ts'
import type { ChangeParts } from '../register/register-parts.ts'
import type { AnalysisResult } from './result-schema.ts'
import type { AnalysisRow } from './schema.ts'
import { analyses } from './tables.ts'

export interface Completion {
  readonly analysis: AnalysisRow
  readonly result: AnalysisResult
  readonly by: string | null
}

/** Mean and value at risk that count: those of the exact engine where it ran. */
export function moneyOf({ exact, monte_carlo: simulated }: AnalysisResult): { mean: number; var95: number } | null {
  const found = exact ?? simulated
  const var95 = found?.tails.find(({ level }) => level === 0.95)?.var
  return found === null || var95 === undefined ? null : { mean: found.mean, var95 }
}

/** Locks the risk of an analysis, so that versions and levels change one after the other. */
export const holdRisk = (tx: Tx, riskId: string) => hold(tx, riskResource, { id: riskId, precondition: anyVersion })

/** Stores the result, makes the analysis the current one, and changes the level of the risk that it speaks of. */
export async function completeAnalysis(
  parts: ChangeParts,
  tx: Tx,
  { analysis, result, by }: Completion,
): Promise<void> {
  const held = await holdRisk(tx, analysis.risk_id)
  const money = moneyOf(result)
  const newer = await tx.first(sql`
    select id from risk_analysis
    where risk_id = ${analysis.risk_id} and purpose = ${analysis.purpose} and current and number > ${analysis.number}`)
  const current = newer === null
  if (current)
    await tx.execute(sql`
      update risk_analysis set current = false
      where risk_id = ${analysis.risk_id} and purpose = ${analysis.purpose} and current`)
  await analyses.patch(tx, analysis.id, {
    ...{ status: 'completed', current, result, updated_at: parts.clock.iso() },
    ...{ mean: money?.mean ?? null, var95: money?.var95 ?? null },
  })
  const { purpose } = analysis
  if (!current || money === null || purpose === 'what_if') return
  const level = quantified(held.row[purpose], { ...money, currency: analysis.currency })
  await applyChange(parts, tx, held, {
    action: 'risk.register.quantify',
    changes: { [purpose]: level },
    cause: analysis.cause === 'threat_update' ? 'threat_update' : 'analysis',
    analysisId: analysis.id,
    by,
  })
}
