/**
 * Runs a simulation in the background, two blocks at a time. Promises the same result for any number of threads: blocks are
 * merged in their order, whichever ended first. Tested in simulations.test.ts.
 */
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { SimulationRow } from '../declared/simulation-schema.ts'
import { type BlockResult, blockRuns } from '../engine/simulate.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { simulateBlock } from './block-task.ts'
import { resultOf } from './result.ts'
import { runs, simulationJob } from './runs.ts'
import { settle } from './settle.ts'

export const simulationRuns: JobDeclaration<ResilienceServices> = {
  kind: simulationJob,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 30_000,
  everyMs: null,
  mostAtOnce: 1,
  run: runSimulation,
}

/** Between two reports of the progress. */
const reportMs = 500

async function runSimulation(context: JobContext<ResilienceServices>): Promise<void> {
  const { kernel, payload, transaction } = context
  const id = String(payload.simulation_id)
  const row = await transaction((tx) => runs.begin(kernel, tx, id))
  if (row === null) return
  const blocks = await runBlocks(context, row)
  const { parts } = row.inputs
  const result = resultOf({ parts, horizonHours: row.horizon_hours, runs: row.runs, blocks })
  await context.complete((tx) => settle(kernel, tx, { id, result }))
}

async function runBlocks(context: JobContext<ResilienceServices>, row: SimulationRow): Promise<readonly BlockResult[]> {
  const { kernel, signal, tenantId, progress } = context
  const { parts, failing } = row.inputs
  const inputs = { parts, failing, horizonHours: row.horizon_hours, seed: row.seed }
  const count = Math.ceil(row.runs / blockRuns)
  const results: BlockResult[] = new Array(count)
  let [next, done] = [0, 0]
  let reportedMs = kernel.clock.monotonic()
  const lane = async (): Promise<void> => {
    while (next < count) {
      signal.throwIfAborted()
      const block = next
      next += 1
      results[block] = await kernel.threads.run(simulateBlock, { inputs, runs: row.runs, block }, { signal })
      done += 1
      if (kernel.clock.monotonic() - reportedMs < reportMs) continue
      reportedMs = kernel.clock.monotonic()
      const share = Math.min(0.99, done / count)
      await progress(share)
      await kernel.db.tenant({ tenantId }, (tx) => runs.progress(kernel, tx, { id: row.id, share }))
    }
  }
  await Promise.all([lane(), lane()])
  return results
}
