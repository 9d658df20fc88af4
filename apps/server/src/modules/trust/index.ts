/**
 * Trust: one score, a grade and five pillars made only from what other modules report, stored as snapshots anyone can
 * recompute. Promises that the same evidence gives the same score and that keeping evidence back never raises it; does
 * not judge whether evidence is true, and has no route yet that changes weights or decay. Tested in scores.test.ts,
 * recalculation.test.ts and history.test.ts; the arithmetic in engine/.
 */
import { defineModule } from '../../kernel/module/module.ts'
import { errors } from './errors.ts'
import { gradeChanged, scoreUpdated } from './events.ts'
import { historyRoutes } from './history.routes.ts'
import { scoresMigration } from './migrations/0001-scores.ts'
import type { TrustParts } from './parts.ts'
import { scoreRoutes } from './scores.routes.ts'
import { seedTrust } from './seed.ts'
import { trustConfigs, trustSnapshots, trustStates } from './tables.ts'
import { recalculationJob, scoreTriggers } from './triggers.ts'

export default defineModule<TrustParts>({
  name: 'trust',
  prefix: 'trust',
  errors,
  tables: [trustConfigs, trustSnapshots, trustStates],
  migrations: [scoresMigration],
  routes: [...scoreRoutes, ...historyRoutes],
  emits: [scoreUpdated, gradeChanged],
  handles: [scoreTriggers],
  jobs: [recalculationJob],
  services: (kernel) => kernel,
  seed: seedTrust,
})
