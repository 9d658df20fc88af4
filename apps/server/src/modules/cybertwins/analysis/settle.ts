/** The end of an analysis, with the events of it and of new paths. Tested in attack-paths.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { AnalysisResult, AnalysisRow, AttackPath } from '../declared/analysis-schema.ts'
import { analysisCompleted, pathDiscovered } from '../declared/events.ts'
import { analyses, snapshots } from '../declared/tables.ts'
import { pathThreshold } from './settings.ts'

export interface Completed {
  readonly row: AnalysisRow
  readonly result: AnalysisResult
}

type Parts = Pick<Kernel, 'clock' | 'settings'>
type Previous = Pick<AnalysisRow, 'max_reach' | 'result' | 'created_at'>

const mostDiscovered = 20

export async function storeCompleted(kernel: Parts, tx: Tx, { row, result }: Completed): Promise<AnalysisRow> {
  const previous = await previousOf(tx, row)
  const now = kernel.clock.iso()
  const maxReach = Math.max(0, ...result.reach.map(({ probability }) => probability))
  const changes = { status: 'completed' as const, result, max_reach: maxReach, finished_at: now, updated_at: now }
  await analyses.patch(tx, row.id, changes)
  const worst = result.reach.find(({ probability }) => probability === maxReach)?.target ?? null
  await tx.emit(analysisCompleted, row.id, {
    ...{ analysis_id: row.id, graph_id: row.graph_id, scope: row.scope, targets: result.reach.length },
    ...{ worst_target: worst, max_reach_probability: maxReach, previous: previous?.max_reach ?? null },
    choke_points: result.choke_points.slice(0, 3).map(({ node }) => node),
    toxic: result.toxic.length,
    duration_ms: Math.max(0, Date.parse(now) - Date.parse(row.started_at ?? now)),
  })
  if (row.scope === 'crown_jewels' && previous !== null) await tellNewPaths(kernel, tx, { row, result, previous })
  return { ...row, ...changes }
}

/** The completed analysis before this one of the same kind. */
function previousOf(tx: Tx, { id, scope }: AnalysisRow): Promise<Previous | null> {
  return tx.first(sql<Previous>`
    select max_reach, result, created_at from cybertwins_analysis
    where scope = ${scope} and status = 'completed' and id <> ${id} order by created_at desc, id desc limit 1`)
}

interface Telling extends Completed {
  readonly previous: Previous
}

async function tellNewPaths(kernel: Parts, tx: Tx, { row, result, previous }: Telling): Promise<void> {
  const threshold = kernel.settings.get(pathThreshold, tx.tenantId)
  const known = new Set((previous.result?.paths ?? []).map(signatureOf))
  const found = result.paths.filter((path) => path.probability >= threshold && !known.has(signatureOf(path)))
  const told = found.slice(0, mostDiscovered)
  if (told.length === 0) return
  const ids = [...new Set(told.flatMap(({ steps }) => steps.map(({ relation_id: id }) => id)))]
  const added = await tx.query(sql<{ id: string }>`
    select id from cybertwins_relation where id = any(${ids}::uuid[]) and updated_at > ${previous.created_at}`)
  const isNew = new Set(added.map(({ id }) => id))
  const snapshot = await snapshots.need(tx, row.graph_id)
  await tx.emitAll(
    pathDiscovered,
    told.map(({ target, probability, steps }) => ({
      subject: target.id,
      data: {
        ...{ analysis_id: row.id, target, probability, steps: steps.slice(0, 100) },
        new_relation_ids: steps
          .map((step) => step.relation_id)
          .filter((id) => isNew.has(id))
          .slice(0, 100),
        cause: { trigger: snapshot.trigger, import_id: snapshot.import_id },
      },
    })),
  )
}

const signatureOf = ({ steps }: AttackPath): string => steps.map(({ relation_id: id }) => id).join(' ')
