/**
 * Trust: one score, a grade and five pillars made only from other modules' reports, stored as snapshots anyone can
 * recompute. Promises that the same evidence gives the same score, that keeping evidence back never raises it, and that
 * every difference of two scores is divided among signals and caps to the last hundredth; does not judge whether evidence
 * is true. Arithmetic without I/O is in engine/; rooms and their tests: scores/ (runs and snapshots), explain/ (why, what
 * if, pillars), decay-config/, history/.
 */
import { defineModule } from '../../kernel/module/module.ts'
import type { TrustApi } from './api.ts'
import { decayConfigRoutes } from './decay-config/decay-config.routes.ts'
import { errors } from './declared/errors.ts'
import { configChanged, gradeChanged, scoreUpdated } from './declared/events.ts'
import type { TrustParts } from './declared/parts.ts'
import { trustConfigs, trustExtremes, trustSnapshots, trustStates } from './declared/tables.ts'
import { explainRoutes } from './explain/explain.routes.ts'
import { historyRoutes } from './history/history.routes.ts'
import { thinningJob } from './history/thinning.ts'
import { scoresMigration } from './migrations/0001-scores.ts'
import { explainedMigration } from './migrations/0002-explained.ts'
import { promptRunsMigration } from './migrations/0003-prompt-runs.ts'
import { historyFact, scoreFact } from './scores/facts.ts'
import { requestRun } from './scores/run-request.ts'
import { scoreRoutes } from './scores/scores.routes.ts'
import { seedTrust } from './scores/seed.ts'
import { recalculationJob, scoreTriggers } from './scores/triggers.ts'

export default defineModule<TrustParts, TrustApi>({
  name: 'trust',
  prefix: 'trust',
  errors,
  tables: [trustConfigs, trustSnapshots, trustExtremes, trustStates],
  migrations: [scoresMigration, explainedMigration, promptRunsMigration],
  routes: [...explainRoutes, ...scoreRoutes, ...historyRoutes, ...decayConfigRoutes],
  emits: [scoreUpdated, gradeChanged, configChanged],
  handles: [scoreTriggers],
  jobs: [recalculationJob, thinningJob],
  services: (kernel) => kernel,
  api: ({ clock }) => ({
    requestRecalculation: (tx) => {
      const payload = { event_id: null, traceparent: tx.origin.traceparent, causation_depth: tx.origin.causationDepth }
      return requestRun(tx, { key: 'requested', payload, runAt: clock.now() })
    },
  }),
  facts: [scoreFact, historyFact],
  seed: seedTrust,
})
