import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import type { ModelParts, Prediction } from '../declared/model-schema.ts'
import { faultsOfModel, type ModelFault } from '../engine/check-model.ts'
import { predict } from '../engine/exact.ts'

export type Analyzed =
  | { readonly faults: readonly ModelFault[] }
  | { readonly predictions: readonly (readonly [key: string, prediction: Prediction])[] }

/** Faults of a model, or predictions of its services. Diagrams and laws of hundreds of services take seconds. */
export const analyzeModel: ThreadTask<ModelParts, Analyzed> = {
  name: 'resilience.analyze_model',
  run: (parts) => {
    const faults = faultsOfModel(parts)
    return faults.length > 0 ? { faults } : { predictions: [...predict(parts)] }
  },
}
