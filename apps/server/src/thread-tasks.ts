import { kernelTasks } from './kernel/assembly/kernel-tasks.ts'
import type { AnyThreadTask } from './kernel/threads/thread-task.ts'
import { readBatch } from './modules/aegis/activity/read-batch.ts'
import { lookTask } from './modules/aegis/guardrails/engine/look.ts'
import { inspectTask } from './modules/aegis/mcp/inspect/inspect.ts'
import { scanTask } from './modules/aegis/mcp/scan/scan-task.ts'
import { readPiece } from './modules/aegis/shadow-ai/matching/read-piece.ts'
import { readFramework } from './modules/compliance/documents/read-task.ts'
import { analyzePaths, analyzeSmall } from './modules/cybertwins/analysis/task.ts'
import { runCampaign } from './modules/cybertwins/campaigns/task.ts'
import { readTwinFile } from './modules/cybertwins/imports/read-task.ts'
import { scanColumns, scanPart } from './modules/data-gov/classification/scan-task.ts'
import { scanTexts } from './modules/gateway/detection/scan-texts.ts'
import { hideAnswer } from './modules/gateway/inspection/hide-task.ts'
import { inspectAnswer } from './modules/gateway/pipeline/answers/inspect-task.ts'
import { simulateCalls } from './modules/gateway/simulation/simulate-task.ts'
import { countTokens } from './modules/gateway/tokens/count-task.ts'
import { readPeople } from './modules/iam/import/read.ts'
import { analyzeModel } from './modules/resilience/model/analyze-task.ts'
import { simulateBlock } from './modules/resilience/simulations/block-task.ts'
import { exactAnalysis } from './modules/risk/fair/exact-task.ts'
import { prepareEngine, runBlocks } from './modules/risk/simulations/block-task.ts'
import { analyzeSensitivity, chooseWithinBudget } from './modules/risk/simulations/decision-tasks.ts'
import { meetsTarget, summarizeLosses } from './modules/risk/simulations/summary-task.ts'
import { readThreats } from './modules/risk/threats/read-task.ts'
import { prepareDocument } from './modules/svc-ai/chunking/prepare-task.ts'

/** Every task of the kernel and of the modules' manifests, apart from them, so that a thread does not load the server. */
export const threadTasks: readonly AnyThreadTask[] = [
  ...[scanTexts, hideAnswer, inspectAnswer, countTokens, simulateCalls, readPeople],
  ...[exactAnalysis, prepareEngine, runBlocks, meetsTarget, summarizeLosses, analyzeSensitivity, chooseWithinBudget],
  ...[
    analyzePaths,
    analyzeSmall,
    runCampaign,
    readTwinFile,
    readThreats,
    readBatch,
    readPiece,
    readFramework,
    prepareDocument,
    analyzeModel,
    simulateBlock,
    scanTask,
    inspectTask,
    lookTask,
    scanColumns,
    scanPart,
    ...kernelTasks,
  ],
]
