/** The scan of definitions as work for a thread: a server with a thousand tools takes seconds. */
import { createDetector, type Detector } from '@parapet/detect'
import type { ThreadTask } from '../../../../kernel/threads/thread-task.ts'
import { type DefinitionsScan, type ScanInput, scanDefinitions } from './scan-definitions.ts'

let detector: Detector | undefined

/** One for each thread: building it takes 100 ms. */
export function ownDetector(): Detector {
  detector ??= createDetector()
  return detector
}

export const scanTask: ThreadTask<ScanInput, DefinitionsScan> = {
  name: 'aegis.mcp.scan',
  run: (input) => scanDefinitions(ownDetector(), input),
}
