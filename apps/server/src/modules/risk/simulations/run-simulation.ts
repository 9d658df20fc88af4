/**
 * Runs a simulation in the background. An attempt that breaks anywhere leaves the simulation unfinished, and the next one
 * begins anew: equal inputs give equal losses; after the last one it has failed. A cancelled one keeps the statistics of
 * the blocks that were done. Tested in simulations.test.ts and end.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { RiskServices } from '../register/register-parts.ts'
import { prepareEngine } from './block-task.ts'
import { simulationJob } from './create-simulation.ts'
import { analyzeSensitivity, chooseWithinBudget } from './decision-tasks.ts'
import { type EngineSettings, partCount } from './engine.ts'
import { simulateBlocks } from './run-blocks.ts'
import type { SimulationRow } from './schema.ts'
import { type Outcome, settle } from './settle.ts'
import { shareLosses, wholeYears } from './shared-losses.ts'
import { summarizeLosses } from './summary-task.ts'
import { simulations } from './tables.ts'

/** Topic of the live feed: the key is the id of a simulation that was cancelled. */
export const cancelledTopic = 'risk.simulation.cancelled'

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
    const row = await unfinished(tx, id)
    if (row === null) return null
    const now = kernel.clock.iso()
    await simulations.patch(tx, id, {
      status: 'running',
      progress: 0,
      iterations_done: 0,
      started_at: now,
      updated_at: now,
    })
    return { ...row, tenant_id: tenantId, started_at: now }
  })
}

interface Owned {
  readonly tenant_id: TenantId
}

/** The simulation, locked; null where it has ended. */
export function unfinished(tx: Tx, id: string): Promise<SimulationRow | null> {
  return tx.first(sql<SimulationRow>`
    select ${simulations.columns} from risk_simulation
    where id = ${id} and status in ('queued', 'running') for update`)
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
  const years = Math.floor(share * row.iterations)
  await kernel.db.tenant({ tenantId: row.tenant_id }, (tx) =>
    tx.execute(sql`
      update risk_simulation set progress = ${share}, iterations_done = ${years}, updated_at = ${kernel.clock.iso()}
      where id = ${row.id} and status = 'running'`),
  )
}
