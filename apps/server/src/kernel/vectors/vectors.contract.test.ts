import { systemClock } from '../base/clock.ts'
import { createMetrics } from '../observe/metrics.ts'
import { createThreads } from '../threads/threads.ts'
import { describeVectorsContract } from './contract.ts'
import { createExactVectors } from './exact.ts'
import { scanVectors } from './scan-task.ts'

for (const [name, inPlaceProducts] of [
  ['exact, in place,', Number.POSITIVE_INFINITY],
  ['exact, in a thread,', 0],
] as const)
  describeVectorsContract(name, async () => {
    const threads = createThreads({
      ...{ entry: new URL('./testing/thread-entry.ts', import.meta.url), tasks: [scanVectors], size: 1 },
      ...{ clock: systemClock(), metrics: createMetrics() },
    })
    return { vectors: createExactVectors({ threads, inPlaceProducts }), close: () => threads.stop() }
  })
