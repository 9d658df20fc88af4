import type { ThreadTask } from '../threads/thread-task.ts'
import { type Scan, type ScanResult, scan } from './scan.ts'

/** The blocks are shared, so nothing of them travels. */
export const scanVectors: ThreadTask<Scan, ScanResult> = {
  name: 'kernel.scan_vectors',
  run: (input, { stopped }) => scan(input, stopped),
}
