/**
 * Runs a simulation in the background. An attempt that breaks anywhere leaves the simulation unfinished, and the next one
 * begins anew: equal inputs give equal losses; after the last one it has failed. A cancelled one keeps the statistics of
 * the blocks that were done. Tested in simulations.test.ts and end.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { RiskServices } from '../register/register-parts.ts'
import { prepareEngine } from './block-task.ts'
import { analyzeSensitivity, chooseWithinBudget } from './decision-tasks.ts'
import { type EngineSettings, partCount } from './engine.ts'
import { simulateBlocks } from './run-blocks.ts'
import { cancelledTopic, runs, simulationJob } from './runs.ts'
import type { SimulationRow } from './schema.ts'
import { type Outcome, settle } from './settle.ts'
import { shareLosses, wholeYears } from './shared-losses.ts'
import { summarizeLosses } from './summary-task.ts'
import { simulations } from './tables.ts'

export const simulationRuns: JobDeclaration<RiskServices> = {
  kind: simulationJob,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 30_000,
  everyMs: null,
  mostAtOnce: 1,
  run: (context) => runSimulation(context),
}

async function runSimulation(context: JobContext<RiskServices>): Promise<void> {
  const { kernel, tenantId, payload, signal } = context
  const id = String(payload.simulation_id)
  const cancelled = new AbortController()
  // Before the row is read: a cancellation in between would be heard by nobody.
  const stop = kernel.live.on(cancelledTopic, (key) => key === id && cancelled.abort(new Error('cancelled')))
  try {
    const row = await begin(kernel, tenantId, id)
    if (row === null) return
    const outcome = await outcomeOf(context, { row, signal: AbortSignal.any([signal, cancelled.signal]) })
    // Neither whole nor cancelled: the worker stops, and another one begins anew.
    if (!cancelled.signal.aborted) signal.throwIfAborted()
    await kernel.db.tenant({ tenantId }, (tx) => settle(kernel, tx, { id, outcome }))
  } finally {
    stop()
  }
}

/** Null when there is nothing to do any more. */
function begin(kernel: Kernel, tenantId: TenantId, id: string): Promise<(SimulationRow & Owned) | null> {
  return kernel.db.tenant({ tenantId }, async (tx) => {
    const row = await runs.begin(kernel, tx, id)
    if (row === null) return null
    await simulations.patch(tx, id, { iterations_done: 0 })
    return { ...row, tenant_id: tenantId, iterations_done: 0 }
  })
}

interface Owned {
  readonly tenant_id: TenantId
}

interface Run {
  readonly row: SimulationRow & Owned
  readonly signal: AbortSignal
}

async function outcomeOf({ kernel, progress }: JobContext<RiskServices>, run: Run): Promise<Outcome | null> {
  const { row, signal } = run
  const { inputs, iterations, seed, inputs_sha256: key } = row
  const settings: EngineSettings = { inputs, iterations, seed }
  if (row.kind === 'sensitivity') return sensitivityOf(kernel, run)
  const losses = shareLosses(iterations, partCount(inputs))
  const whole = await simulateBlocks(kernel, {
    key,
    settings,
    losses,
    signal,
    progressed: async (share) => {
      await progress(share)
      await storeYears(kernel, row, share)
    },
  })
  const years = signal.aborted ? wholeYears(losses) : whole
  if (years === 0) return null
  const [summary, facts] = await Promise.all([
    kernel.threads.run(summarizeLosses, { inputs, losses, years }),
    kernel.threads.run(prepareEngine, { key, settings }),
  ])
  const wantsChoice = inputs.budget !== null && !signal.aborted
  const choice = wantsChoice ? await kernel.threads.run(chooseWithinBudget, settings, { signal }) : null
  return { years, summary, choice, sensitivity: null, facts: 'fault' in facts ? null : facts }
}

async function sensitivityOf({ threads }: Kernel, { row, signal }: Run): Promise<Outcome | null> {
  const [model] = row.inputs.models
  if (model === undefined) return null
  try {
    const asked = { model, samples: row.iterations, seed: row.seed }
    const sensitivity = await threads.run(analyzeSensitivity, asked, { signal })
    return { years: row.iterations, summary: null, choice: null, sensitivity, facts: null }
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

async function storeYears(kernel: Kernel, row: SimulationRow & Owned, share: number): Promise<void> {
  const also = [sql`iterations_done = ${Math.floor(share * row.iterations)}`]
  await kernel.db.tenant({ tenantId: row.tenant_id }, (tx) => runs.progress(kernel, tx, { id: row.id, share, also }))
}
