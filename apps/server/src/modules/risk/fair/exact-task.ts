import { type FairModel, planOf } from '@parapet/quant'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import { exactResult } from './exact-result.ts'
import type { FairModelBody } from './model-schema.ts'
import type { ExactResult } from './result-schema.ts'

export interface ModelToAnalyze {
  readonly model: FairModelBody
  readonly horizonYears: number
}

/** The exact engine takes tens to hundreds of milliseconds, so it runs in a thread. */
export const exactAnalysis: ThreadTask<ModelToAnalyze, ExactResult> = {
  name: 'risk.exact_analysis',
  run: ({ model, horizonYears }) => exactResult(planOf(model as FairModel), horizonYears),
}
