import type { AnyThreadTask } from './kernel/threads/thread-task.ts'
import { scanTexts } from './modules/gateway/detection/scan-texts.ts'
import { simulateCalls } from './modules/gateway/simulation/simulate-task.ts'
import { countTokens } from './modules/gateway/tokens/count-task.ts'
import { readPeople } from './modules/iam/import/read.ts'

/** Every task of the modules' manifests, apart from them, so that a thread does not load the server. */
export const threadTasks: readonly AnyThreadTask[] = [scanTexts, countTokens, simulateCalls, readPeople]
