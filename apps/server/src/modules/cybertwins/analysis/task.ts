import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import type { AnalysisResult } from '../declared/analysis-schema.ts'
import { type AnalysisRequest, analyze } from './analyze.ts'

/** Analyzes in a thread; null where it was told to stop. */
export const analyzePaths: ThreadTask<AnalysisRequest, AnalysisResult | null> = {
  name: 'cybertwins.analyze_paths',
  lane: 'long',
  run: (request, work) => analyze(request, work),
}

/** The same for small graphs, in the threads of requests. */
export const analyzeSmall: ThreadTask<AnalysisRequest, AnalysisResult | null> = {
  ...analyzePaths,
  name: 'cybertwins.analyze_small',
  lane: 'quick',
}
