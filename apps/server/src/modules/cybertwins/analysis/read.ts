import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Analysis, AnalysisRow } from '../declared/analysis-schema.ts'
import { analyses } from '../declared/tables.ts'

/** @param id of an analysis, or `latest` for the newest completed one of the crown jewels. @throws API-013 */
export async function findAnalysis(tx: Tx, id: string): Promise<AnalysisRow> {
  if (id !== 'latest') return analyses.need(tx, id)
  const row = await latestAnalysis(tx)
  if (row === null) throw apiErrors.notFound({ what: 'analysis' })
  return row
}

export function latestAnalysis(tx: Tx): Promise<AnalysisRow | null> {
  return tx.first(sql<AnalysisRow>`
    select ${analyses.columns} from cybertwins_analysis
    where scope = 'crown_jewels' and status = 'completed' order by created_at desc, id desc limit 1`)
}

const everything: ReadonlySet<string> = new Set(['paths', 'choke_points', 'cut', 'blast_radius', 'toxic', 'what_if'])

/** @param included parts of the result beside the reach and the changes; empty for all */
export function analysisView(
  { result, max_reach: _max, ...row }: AnalysisRow,
  included: ReadonlySet<string>,
): Analysis {
  if (result === null) return { ...row, result: null }
  const shown = included.size === 0 ? everything : included
  const { paths, choke_points, cuts, blast_radius, toxic, what_if, ...always } = result
  return {
    ...row,
    result: {
      ...always,
      ...(shown.has('paths') ? { paths } : {}),
      ...(shown.has('choke_points') ? { choke_points } : {}),
      ...(shown.has('cut') ? { cuts } : {}),
      ...(shown.has('blast_radius') ? { blast_radius } : {}),
      ...(shown.has('toxic') ? { toxic } : {}),
      ...(shown.has('what_if') ? { what_if } : {}),
    },
  }
}
