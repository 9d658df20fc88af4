import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import { type BlockResult, blockRuns, type SimulationInputs, simulateRuns } from '../engine/simulate.ts'

export interface BlockToRun {
  readonly inputs: SimulationInputs
  readonly runs: number
  readonly block: number
}

/** One block of runs: a second or so of the processor for a model of a hundred services and a year. */
export const simulateBlock: ThreadTask<BlockToRun, BlockResult> = {
  name: 'resilience.simulate_block',
  lane: 'long',
  run: ({ inputs, runs, block }) => simulateRuns(inputs, block * blockRuns, Math.min(runs, (block + 1) * blockRuns)),
}
