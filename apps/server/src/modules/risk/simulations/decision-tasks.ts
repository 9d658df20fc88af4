import {
  blockYears,
  type Control,
  chooseControls,
  createControlSimulation,
  type FairModel,
  planOf,
  sobolIndices,
  tornado,
} from '@parapet/quant'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import type { FairModelBody } from '../fair/model-schema.ts'
import type { EngineSettings } from './engine.ts'
import type { ControlRoi, Sensitivity } from './schema.ts'
import { barsOf, indicesOf } from './statistics.ts'

interface ModelToAnalyze {
  readonly model: FairModelBody
  /** Rows of each sample matrix of the Sobol indices. */
  readonly samples: number
  readonly seed: string
}

/** Tornado by the exact engine, Sobol indices by sampling. */
export const analyzeSensitivity: ThreadTask<ModelToAnalyze, Sensitivity> = {
  name: 'risk.analyze_sensitivity',
  lane: 'long',
  run: ({ model, samples, seed }, { stopped }) => {
    const plan = planOf(model as FairModel)
    const sobol = indicesOf(sobolIndices({ plan, samples, seed }))
    const tornadoMean = barsOf(tornado(plan, 'mean'))
    if (stopped()) throw new Error('Nobody waits for the sensitivity any more')
    return { sobol, tornado_mean: tornadoMean, tornado_var95: barsOf(tornado(plan, 'var95')) }
  },
}

/** Controls that a budget is searched over: each set is simulated, so their number is small. */
export const mostChosenControls = 10
/** Years by which sets are compared: under common random numbers a few blocks order them. */
const comparedBlocks = 4

/** The set of controls with the greatest mean avoided loss within the budget. */
export const chooseWithinBudget: ThreadTask<EngineSettings, NonNullable<ControlRoi['choice']>> = {
  name: 'risk.choose_controls',
  lane: 'long',
  run: ({ inputs, seed }, { stopped }) => {
    const model = inputs.models[0] as FairModel
    const controls = inputs.controls as readonly Control[]
    const budget = inputs.budget ?? 0
    const known = new Map<string, number>()
    const benefit = (chosen: readonly number[]): number => {
      if (stopped()) throw new Error('Nobody waits for the choice any more')
      const key = chosen.join()
      const set = controls.map((control, i) => (chosen.includes(i) ? control : { ...control, efficacy: none }))
      const found = known.get(key) ?? avoidedBy(model, set, seed)
      known.set(key, found)
      return found
    }
    const choice = chooseControls({ options: controls, budget, benefit, returns: 'diminishing' })
    return {
      budget,
      control_ids: choice.chosen.flatMap((i) => controls[i]?.id ?? []),
      cost: choice.cost,
      avoided_mean: choice.benefit,
      method: choice.method,
      gap: choice.gap,
    }
  },
}

/** A control that is not chosen keeps its place, so that every set is compared in the same years. */
const none = { type: 'constant', value: 0 } as const

function avoidedBy(model: FairModel, controls: readonly Control[], seed: string): number {
  const iterations = comparedBlocks * blockYears
  const losses = createControlSimulation({ model, controls, iterations, seed }).run(0, comparedBlocks)
  let avoided = 0
  for (let year = 0; year < iterations; year += 1) avoided += (losses.without[year] ?? 0) - (losses.with[year] ?? 0)
  return Math.max(0, avoided / iterations)
}
