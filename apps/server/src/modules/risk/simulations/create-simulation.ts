/**
 * Asks for a simulation. Promises that what cannot be simulated is refused before anything is stored. Tested in
 * simulations.test.ts.
 */

import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors/errors.ts'
import { findAnalyses } from '../fair/read-analysis.ts'
import type { AnalysisRow } from '../fair/schema.ts'
import { type EngineFault, prepareEngine } from './block-task.ts'
import { engineVersion } from './engine.ts'
import { defaultIterations, refuseBeyondLimits } from './limits.ts'
import { runs } from './runs.ts'
import type { Inputs, NewSimulation, SimulationRow } from './schema.ts'
import { simulations } from './tables.ts'

export interface SimulationAsked {
  readonly scope: TenantScope
  readonly userId: string
  readonly body: NewSimulation
}

/** @throws RISK-002, RISK-006, RISK-007, RISK-009, RISK-010 */
export async function createSimulationOf(
  kernel: Kernel,
  { scope, userId, body }: SimulationAsked,
): Promise<SimulationRow> {
  const found = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => named(tx, body))
  const inputs = inputsOf(body, found)
  refuseBeyondLimits({ body, inputs, found })
  const row = newSimulation(kernel, { inputs, analyses: found, tenantId: scope.tenantId, userId, body })
  await refuseFaulty(kernel, row)
  return kernel.db.tenant(scope, async (tx) => {
    await runs.queue(tx, row)
    await tx.audit('risk.simulation.create', {
      target: `risk_simulation:${row.id}`,
      after: { kind: row.kind, analysis_ids: row.analysis_ids, iterations: row.iterations, seed: row.seed },
    })
    return row
  })
}

/** The analyses in the order of the body. @throws RISK-002 */
async function named(tx: Tx, body: NewSimulation): Promise<readonly AnalysisRow[]> {
  const rows = new Map((await findAnalyses(tx, body.analysis_ids)).map((row) => [row.id, row]))
  const unknown = body.analysis_ids.flatMap((id, i) => (rows.has(id) ? [] : [i]))
  if (unknown.length > 0)
    throw errors
      .unknownReference({ what: 'analysis' })
      .at(unknown.slice(0, 20).map((i) => ({ detail: 'There is no such analysis.', pointer: `/analysis_ids/${i}` })))
  if (body.previous_simulation_id !== undefined && (await simulations.get(tx, body.previous_simulation_id)) === null)
    throw errors
      .unknownReference({ what: 'simulation' })
      .at([{ detail: 'There is no such simulation.', pointer: '/previous_simulation_id' }])
  return body.analysis_ids.flatMap((id) => rows.get(id) ?? [])
}

/** @throws RISK-002 for a variable of an analysis that the portfolio does not have */
function inputsOf(body: NewSimulation, found: readonly AnalysisRow[]): Inputs {
  const { correlation } = body
  const variables = correlation?.variables?.map(({ analysis_id: id, node }, i) => {
    const scenario = found.findIndex((analysis) => analysis.id === id)
    if (scenario < 0)
      throw errors
        .unknownReference({ what: 'analysis' })
        .at([{ detail: 'The analysis is none of analysis_ids.', pointer: `/correlation/variables/${i}/analysis_id` }])
    return { scenario, pointer: node }
  })
  return {
    kind: body.kind,
    models: found.map(({ model }) => model),
    controls: body.kind === 'control_roi' ? (body.controls ?? found[0]?.controls ?? []) : [],
    budget: body.budget ?? null,
    correlation:
      correlation === undefined
        ? null
        : { variables: variables ?? null, spearman: correlation.spearman, repair: correlation.repair ?? false },
    sampling: body.sampling ?? 'pseudo',
    target: body.target ?? null,
    for_analysis: null,
  }
}

interface Made {
  readonly inputs: Inputs
  readonly analyses: readonly Pick<AnalysisRow, 'id' | 'risk_id' | 'currency'>[]
  readonly tenantId: SimulationRow['tenant_id']
  readonly userId: string | null
  readonly body: Pick<NewSimulation, 'iterations' | 'seed' | 'previous_simulation_id'>
}

export function newSimulation(
  { clock, random }: Pick<Kernel, 'clock' | 'random'>,
  { inputs, analyses, tenantId, userId, body }: Made,
): SimulationRow {
  const now = clock.iso()
  const iterations = body.iterations ?? defaultIterations
  const seed = body.seed ?? seedFrom(random)
  const [first] = analyses
  if (first === undefined) throw new RangeError('A simulation is of at least one analysis')
  return {
    id: random.uuid(),
    tenant_id: tenantId,
    created_at: now,
    updated_at: now,
    kind: inputs.kind,
    analysis_ids: analyses.map(({ id }) => id),
    risk_ids: analyses.map(({ risk_id: id }) => id),
    inputs,
    inputs_sha256: canonicalHash({ ...inputs, for_analysis: null, iterations, seed, engineVersion }),
    engine_version: engineVersion,
    seed,
    iterations,
    currency: first.currency,
    previous_simulation_id: body.previous_simulation_id ?? null,
    ...{ status: 'queued', progress: 0, iterations_done: 0, losses_sha256: null, result: null, failure: null },
    ...{ mean: null, var95: null, tvar95: null, started_at: null, finished_at: null },
    created_by: userId,
  }
}

/** 64 random bits, as a decimal. */
const seedFrom = (random: Pick<Kernel['random'], 'hex'>): string => BigInt(`0x${random.hex(8)}`).toString()

/** Prepares the engine in a thread, where it stays for the run. @throws RISK-006, RISK-009 */
async function refuseFaulty(kernel: Kernel, row: SimulationRow): Promise<void> {
  if (row.kind !== 'control_roi' && row.inputs.correlation === null) return
  const { inputs, iterations, seed, inputs_sha256: key } = row
  const found = await kernel.threads.run(prepareEngine, { key, settings: { inputs, iterations, seed } })
  if ('fault' in found) throw problemOf(found.fault)
}

function problemOf({ kind, pointer, message }: EngineFault): ProblemError {
  const error = kind === 'correlation' ? errors.correlationInvalid : errors.distributionInvalid
  return error({ what: message }).at([{ detail: message, pointer }])
}

/** The simulation that gives an analysis its Monte Carlo result. */
export async function queueForAnalysis(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { analysis, body }: { readonly analysis: AnalysisRow; readonly body: Pick<NewSimulation, 'iterations' | 'seed'> },
): Promise<string> {
  const inputs: Inputs = {
    kind: 'scenario',
    models: [analysis.model],
    controls: [],
    budget: null,
    correlation: null,
    sampling: 'pseudo',
    target: null,
    for_analysis: analysis.id,
  }
  const row = newSimulation(kernel, {
    inputs,
    analyses: [analysis],
    tenantId: analysis.tenant_id,
    userId: analysis.created_by,
    body,
  })
  await runs.queue(tx, row)
  return row.id
}
