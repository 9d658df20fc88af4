/** Makes the cluster that all suites copy, once before the first test. Tested by the suites it starts. */
import { keepCluster } from '../../src/kernel/db/adapters/empty-cluster.ts'

export default function keepEmptyCluster(): Promise<void> {
  return keepCluster()
}
