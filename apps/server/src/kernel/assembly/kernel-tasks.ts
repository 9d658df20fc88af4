import type { AnyThreadTask } from '../threads/thread-task.ts'
import { scanVectors } from '../vectors/scan-task.ts'

/** Work for the processor that the kernel itself has. */
export const kernelTasks: readonly AnyThreadTask[] = [scanVectors]
