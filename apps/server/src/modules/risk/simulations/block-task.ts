import { CorrelationError, factorCorrelation, ModelError } from '@parapet/quant'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import { createEngine, type Engine, type EngineSettings } from './engine.ts'
import { blockOf, markDone, type SharedLosses } from './shared-losses.ts'

export interface BlocksToRun {
  /** Equal for equal settings: a thread that prepared the engine has it still. */
  readonly key: string
  readonly settings: EngineSettings
  readonly losses: SharedLosses
  readonly from: number
  readonly to: number
}

/** One engine a thread: its tables and buffers cost more than a block. */
let prepared: { readonly key: string; readonly engine: Engine } | null = null

function engineOf(key: string, settings: EngineSettings): Engine {
  if (prepared?.key !== key) prepared = { key, engine: createEngine(settings) }
  return prepared.engine
}

/** Writes the losses of some blocks into the shared memory, one block after the other; ends early when told to stop. */
export const runBlocks: ThreadTask<BlocksToRun, void> = {
  name: 'risk.simulate_blocks',
  run: ({ key, settings, losses, from, to }, { stopped }) => {
    const engine = engineOf(key, settings)
    for (let block = from; block < to && !stopped(); block += 1) {
      const parts = losses.parts.map((part) => blockOf(losses, part, block))
      blockOf(losses, losses.total, block).set(engine.run(block, parts))
      markDone(losses, block)
    }
  },
}

export interface EngineFacts {
  readonly distance: number | null
  readonly inaccurate: readonly string[]
}

export interface EngineFault {
  readonly kind: 'correlation' | 'model'
  readonly pointer: string
  readonly message: string
}

/** Prepares an engine: what is wrong with its inputs, or what is to be known of it. */
export const prepareEngine: ThreadTask<
  Pick<BlocksToRun, 'key' | 'settings'>,
  EngineFacts | { readonly fault: EngineFault }
> = {
  name: 'risk.prepare_engine',
  run: ({ key, settings }) => {
    try {
      const { correlation } = settings.inputs
      // Laws of annual losses take their time, and only the matrix can be wrong.
      if (correlation?.variables === null)
        return { distance: factorCorrelation(correlation, '/correlation/spearman').distance, inaccurate: [] }
      const { distance, inaccurate } = engineOf(key, settings)
      return { distance, inaccurate: [...inaccurate] }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      const kind = error instanceof CorrelationError ? 'correlation' : 'model'
      return { fault: { kind, pointer: error.pointer, message: error.message } }
    }
  },
}
