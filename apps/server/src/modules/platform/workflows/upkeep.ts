import { pruning } from '../../../kernel/jobs/pruning.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { runs } from './declared/tables.ts'

/** Runs are kept for a year after their end. Tested in ../upkeep.test.ts. */
export const runUpkeep = pruning<PlatformServices>({
  ...{ kind: 'platform.run_upkeep', table: runs, column: 'ended_at', keptDays: 365 },
})
