/**
 * Risk: the register with its states, appetites and indicators; FAIR analyses by an exact engine and by simulation, which
 * check each other; portfolios, sensitivity and the value of controls; the threat library. Promises that equal inputs give
 * equal losses and that no version of an analysis is overwritten. It decides nothing about people's judgment, and runs no
 * queries. Tested beside its files.
 */
import { defineModule } from '../../kernel/module/module.ts'
import { iamApi } from '../iam/api.ts'
import type { RiskApi } from './api.ts'
import { openRisksFact } from './check-facts.ts'
import { errors } from './errors/errors.ts'
import { lossesFact, registerFact } from './facts.ts'
import { exactAnalysis } from './fair/exact-task.ts'
import { analyses } from './fair/tables.ts'
import { rateRuns } from './feedback/rate-runs.ts'
import { sourceRetention } from './feedback/source-retention.ts'
import { threatEvents, trustScores } from './feedback/threat-events.ts'
import { registerMigration } from './migrations/0001-register.ts'
import { analysesMigration } from './migrations/0002-analyses.ts'
import { attemptsMigration } from './migrations/0003-attempts.ts'
import { threatsMigration } from './migrations/0004-threats.ts'
import { attemptSourcesMigration } from './migrations/0005-attempt-sources.ts'
import { horizonMigration } from './migrations/0006-horizon.ts'
import { attempts } from './observation/attempts.ts'
import { sources } from './observation/sources.ts'
import { deadlineMissed, kriBreached, scoreChanged, statusChanged } from './register/events.ts'
import type { RiskServices } from './register/register-parts.ts'
import { appetites } from './register/settings.ts'
import { risks, scores } from './register/tables.ts'
import { upkeepJob } from './register/upkeep.ts'
import { fairRoutes } from './routes/fair.routes.ts'
import { registerRoutes } from './routes/register.routes.ts'
import { simulationRoutes } from './routes/simulation.routes.ts'
import { threatRoutes } from './routes/threats.routes.ts'
import { riskSignals } from './signals.ts'
import { prepareEngine, runBlocks } from './simulations/block-task.ts'
import { analyzeSensitivity, chooseWithinBudget } from './simulations/decision-tasks.ts'
import { simulationCompleted } from './simulations/events.ts'
import { simulationRuns } from './simulations/run-simulation.ts'
import { runs } from './simulations/runs.ts'
import { settleFailed } from './simulations/settle.ts'
import { meetsTarget, summarizeLosses } from './simulations/summary-task.ts'
import { simulations } from './simulations/tables.ts'
import { threats } from './threats/library/tables.ts'
import { findTechniquesUsedBy, findVulnerabilities } from './threats/lookups.ts'
import { readThreats } from './threats/read-task.ts'

export default defineModule<RiskServices, RiskApi>({
  name: 'risk',
  uses: ['iam'],
  prefix: 'risk',
  errors,
  tables: [risks, scores, analyses, simulations, attempts, sources, threats],
  migrations: [
    registerMigration,
    analysesMigration,
    attemptsMigration,
    threatsMigration,
    attemptSourcesMigration,
    horizonMigration,
  ],
  settings: [appetites],
  facts: [registerFact, lossesFact, openRisksFact],
  routes: [...registerRoutes, ...fairRoutes, ...simulationRoutes, ...threatRoutes],
  emits: [scoreChanged, statusChanged, kriBreached, deadlineMissed, simulationCompleted],
  handles: [threatEvents, trustScores],
  jobs: [upkeepJob, simulationRuns, rateRuns, sourceRetention],
  tasks: [
    exactAnalysis,
    prepareEngine,
    runBlocks,
    meetsTarget,
    summarizeLosses,
    analyzeSensitivity,
    chooseWithinBudget,
    readThreats,
  ],
  fills: runs.notices(({ kernel }: RiskServices) => kernel, settleFailed),
  services: (kernel, use) => ({ kernel, iam: use(iamApi) }),
  api: () => ({ vulnerabilities: findVulnerabilities, techniquesUsedBy: findTechniquesUsedBy }),
  signals: ({ kernel }, tx, at) => riskSignals(kernel, tx, at),
})
