/** The engine that a simulation's inputs ask for. Pure. Tested in simulations.test.ts. */
import {
  blockCount,
  type Control,
  createAnnualLossCopula,
  createControlSimulation,
  createCorrelatedSimulation,
  createSimulation,
  exactAnnualLoss,
  type FairModel,
  planOf,
} from '@parapet/quant'
import type { Inputs } from './schema.ts'

/** Changes with every change of the engine that changes a loss. */
export const engineVersion = 'parapet-quant-1'

export interface EngineSettings {
  readonly inputs: Inputs
  readonly iterations: number
  readonly seed: string
}

/** Losses by block; every division into ranges gives the same bits. */
export interface Engine {
  readonly blocks: number
  /** How many vectors beside the total it fills: the scenarios of a portfolio, or the losses with controls. */
  readonly parts: number
  /** Frobenius distance between the given and the repaired correlation matrix; null without one. */
  readonly distance: number | null
  readonly inaccurate: readonly string[]
  /** Losses of one block. @param parts one vector for each part, as long as the block */
  run(block: number, parts: readonly Float64Array[]): Float64Array
}

/** Vectors beside the total that a kind keeps. */
export const partCount = ({ kind, models }: Pick<Inputs, 'kind' | 'models'>): number => {
  if (kind === 'control_roi') return 1
  return kind === 'portfolio' ? models.length : 0
}

/** Prepares tables and buffers. @throws ModelError, CorrelationError */
export function createEngine({ inputs, iterations, seed }: EngineSettings): Engine {
  const models = inputs.models as readonly FairModel[]
  if (inputs.kind === 'control_roi') return controlEngine(models[0], inputs, { iterations, seed })
  const plans = models.map((model) => planOf(model))
  const { correlation, sampling } = inputs
  const common = { iterations, seed }
  const simulation =
    correlation === null
      ? { ...createSimulation({ plans, sampling, ...common }), distance: null }
      : correlation.variables === null
        ? createAnnualLossCopula({
            laws: plans.map((plan) => exactAnnualLoss([plan])),
            ...matrixOf(correlation),
            ...common,
          })
        : createCorrelatedSimulation({ plans, variables: correlation.variables, ...matrixOf(correlation), ...common })
  return {
    blocks: simulation.blocks,
    parts: partCount(inputs),
    distance: simulation.distance,
    inaccurate: simulation.inaccurate,
    run: (block, parts) => simulation.run(block, block + 1, undefined, parts.length > 0 ? parts : undefined),
  }
}

type Common = Pick<EngineSettings, 'iterations' | 'seed'>

const matrixOf = ({ spearman, repair }: NonNullable<Inputs['correlation']>) => ({ spearman, repair })

function controlEngine(model: FairModel | undefined, inputs: Inputs, common: Common): Engine {
  if (model === undefined) throw new RangeError('A control is simulated in one scenario.')
  const simulation = createControlSimulation({ model, controls: inputs.controls as readonly Control[], ...common })
  return {
    blocks: blockCount(common.iterations),
    parts: 1,
    distance: null,
    inaccurate: [],
    run: (block, [withControls]) => {
      const losses = simulation.run(block, block + 1)
      withControls?.set(losses.with)
      return losses.without
    },
  }
}
