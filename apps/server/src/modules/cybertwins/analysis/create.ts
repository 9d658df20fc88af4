/**
 * Asks for an analysis. Input that cannot be analyzed is refused before anything is stored; small graphs are analyzed at once,
 * large ones by a job. Tested in attack-paths.test.ts.
 */
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { AnalysisInputs, AnalysisRow, NewAnalysis } from '../declared/analysis-schema.ts'
import { analyses } from '../declared/tables.ts'
import { errors } from '../errors/errors.ts'
import { snapshotFor } from '../graph/find.ts'
import { seedOf } from '../graph/seed.ts'
import type { TwinState } from '../model/state.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { targetsOf } from './analyze.ts'
import { storeCompleted } from './settle.ts'
import { analyzeSmall } from './task.ts'

export const analysisJob = 'cybertwins.analysis'
/** Queued or running analyses of a tenant. */
const mostUnfinished = 20
/** A graph up to this size is analyzed before the answer. */
const small = { nodes: 2_000, edges: 10_000, paths: 200, worlds: 20_000 }

export interface AnalysisAsked {
  readonly scope: TenantScope
  readonly userId: string | null
  readonly body: NewAnalysis
}

/** @throws TWIN-006, TWIN-008, TWIN-009 */
export async function createAnalysis(
  services: Pick<TwinServices, 'kernel' | 'risk'>,
  { scope, userId, body }: AnalysisAsked,
): Promise<AnalysisRow> {
  const { kernel } = services
  const { row: snapshot, state } = await snapshotFor(services, scope, body.graph_id)
  const inputs = inputsOf(body)
  refuseUnknown(state, inputs)
  const row = newAnalysis(kernel, { scope, userId, body, inputs, graphId: snapshot.id })
  if (!isSmall(state, inputs)) return kernel.db.tenant(scope, (tx) => queueAnalysis(tx, row))
  const result = await kernel.threads.run(analyzeSmall, { state, inputs, seed: row.seed })
  if (result === null) throw new Error('an analysis that ended early')
  return kernel.db.tenant(scope, async (tx) => {
    await insertAnalysis(tx, { ...row, status: 'running' })
    return storeCompleted(kernel, tx, { row, result })
  })
}

function isSmall({ nodes, edges }: TwinState, { k, worlds, target_ids: targets }: AnalysisInputs): boolean {
  const paths = k * Math.min(10, targets?.length ?? 10)
  return nodes.length <= small.nodes && edges.length <= small.edges && paths <= small.paths && worlds <= small.worlds
}

function inputsOf(body: NewAnalysis): AnalysisInputs {
  return {
    source_ids: body.source_ids ?? null,
    target_ids: body.target_ids ?? null,
    profile: body.profile ?? 'criminal',
    horizon_days: body.horizon_days ?? 365,
    k: body.k ?? 10,
    order_by: body.order_by ?? 'probability',
    max_overlap: body.max_overlap ?? null,
    costs: body.costs ?? [],
    budget: body.budget ?? null,
    blast_radius_of: body.blast_radius_of ?? null,
    what_if: body.what_if ?? [],
    worlds: body.worlds ?? 10_000,
  }
}

/** @throws TWIN-006 for ids that the graph does not have, TWIN-008 for nothing to begin at or to reach */
function refuseUnknown(state: TwinState, inputs: AnalysisInputs): void {
  const known = new Set(state.nodes.map(({ id }) => id))
  const named = [
    ...listed('/source_ids', inputs.source_ids ?? []),
    ...listed('/target_ids', inputs.target_ids ?? []),
    ...inputs.costs.map(({ asset_id: id }, i) => ({ id, pointer: `/costs/${i}/asset_id` })),
    ...(inputs.blast_radius_of === null ? [] : [{ id: inputs.blast_radius_of, pointer: '/blast_radius_of' }]),
    ...inputs.what_if.flatMap(whatIfIds),
  ]
  const unknown = named.filter(({ id }) => !known.has(id))
  if (unknown.length > 0)
    throw errors
      .unknownReference({ what: 'asset' })
      .at(unknown.slice(0, 20).map(({ pointer }) => ({ detail: 'is no asset of the graph', pointer })))
  if (inputs.source_ids === null && !state.nodes.some((node) => node.entry_point))
    throw errors.nothingToAnalyze({ what: 'No asset is an entry point. Set `entry_point`, or send `source_ids`.' })
  if (targetsOf(state, inputs).length === 0)
    throw errors.nothingToAnalyze({ what: 'No asset is a crown jewel. Set `crown_jewel`, or send `target_ids`.' })
}

const listed = (pointer: string, ids: readonly string[]) => ids.map((id, i) => ({ id, pointer: `${pointer}/${i}` }))

/** @throws TWIN-008 for a change that does not say enough */
function whatIfIds(change: AnalysisInputs['what_if'][number], index: number) {
  const pointer = `/what_if/${index}`
  const isOfRelation = change.op === 'harden_relation' || change.op === 'add_relation'
  const needed = isOfRelation ? (['source_id', 'target_id'] as const) : (['asset_id'] as const)
  return needed.map((name) => {
    const id = change[name]
    if (id === undefined)
      throw errors
        .nothingToAnalyze({ what: `The change \`${change.op}\` needs \`${needed.join('` and `')}\`.` })
        .at([{ detail: 'This is required here.', pointer: `${pointer}/${name}` }])
    return { id, pointer: `${pointer}/${name}` }
  })
}

interface Made extends AnalysisAsked {
  readonly inputs: AnalysisInputs
  readonly graphId: string
}

function newAnalysis(
  { clock, random }: Pick<Kernel, 'clock' | 'random'>,
  { scope, userId, body, inputs, graphId }: Made,
): AnalysisRow {
  const now = clock.iso()
  return {
    ...{ id: random.uuid(), tenant_id: scope.tenantId, created_at: now, updated_at: now },
    graph_id: graphId,
    scope: inputs.source_ids === null && inputs.target_ids === null ? 'crown_jewels' : 'chosen',
    inputs,
    seed: body.seed ?? seedOf(random),
    ...{ status: 'queued', result: null, failure: null, max_reach: null, created_by: userId },
    ...{ started_at: now, finished_at: null },
  }
}

/** Stores an analysis and its job, which has the same id. @throws TWIN-009 */
async function queueAnalysis(tx: Tx, row: AnalysisRow): Promise<AnalysisRow> {
  await tx.lock('cybertwins.analyses', tx.tenantId)
  const unfinished = await tx.first(sql<{ n: number }>`
    select count(*)::int as n from cybertwins_analysis where status in ('queued', 'running')`)
  if ((unfinished?.n ?? 0) >= mostUnfinished)
    throw errors.limitExceeded({ what: `${mostUnfinished} analyses are unfinished. Wait for one or cancel one.` })
  await insertAnalysis(tx, row)
  await tx.enqueue({ id: row.id, kind: analysisJob, payload: { analysis_id: row.id } })
  return row
}

async function insertAnalysis(tx: Tx, row: AnalysisRow): Promise<void> {
  await analyses.insert(tx, row)
  const { profile, horizon_days, k } = row.inputs
  await tx.audit('cybertwins.attack_path.create', {
    target: `cybertwins_analysis:${row.id}`,
    after: { graph_id: row.graph_id, scope: row.scope, profile, horizon_days, k, seed: row.seed },
  })
}
