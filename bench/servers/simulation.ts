/** A Monte Carlo as a task of the long lane and the job that runs it, for measuring what it costs its neighbors. */
import type { ThreadTask } from '../../apps/server/src/kernel/threads/thread-task.ts'
import { createSimulation, planOf } from '../../packages/quant/src/index.ts'
import { modelA } from '../../packages/quant/test/oracle-cases.ts'

export interface Simulated {
  readonly years: number
  readonly meanLoss: number
}

const blocksAtOnce = 8

/** So many years of one scenario, block by block. */
export const simulateYears: ThreadTask<{ readonly years: number }, Simulated> = {
  name: 'bench.simulate',
  lane: 'long',
  run: ({ years }, { stopped, progress }) => {
    const simulation = createSimulation({ plans: [planOf(modelA)], iterations: years, seed: '42' })
    let [sum, count] = [0, 0]
    for (let block = 0; block < simulation.blocks && !stopped(); block += blocksAtOnce) {
      const losses = simulation.run(block, Math.min(simulation.blocks, block + blocksAtOnce))
      for (const loss of losses) sum += loss
      count += losses.length
      progress(block / simulation.blocks)
    }
    return { years: count, meanLoss: sum / count }
  },
}
