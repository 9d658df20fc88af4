/** Before the first test, so that no two suites make what all of them copy. Tested by what they start. */
import { keepCluster } from '../../src/kernel/db/adapters/empty-cluster.ts'

export default function keepEmptyCluster(): Promise<void> {
  return keepCluster()
}
