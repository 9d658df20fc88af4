/**
 * Resilience: which service needs what and how soon it must be back; the distribution of recovery time and data loss by an
 * exact analysis and by simulation; and faults in the tenant's own running calls, bounded in reach and undone by
 * themselves. Promises that nothing protected is hit, that faults end with the controller's lease, and that prediction and
 * measurement stand side by side. Tested beside its files.
 */
import { factsPort } from '../../kernel/facts/facts.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { fill } from '../../kernel/module/ports/port.ts'
import { jobCancelledPort, jobDiedPort } from '../../kernel/notices/notices.ts'
import { gatewayApi } from '../gateway/api.ts'
import { createLedger } from './chaos/ledger.ts'
import { createFaultRegistry } from './chaos/registry.ts'
import { exercisesFact, restoresFact } from './check-facts.ts'
import { experiments, journal, levers } from './declared/experiment-tables.ts'
import { measurements } from './declared/measurements.ts'
import { models, services } from './declared/model-tables.ts'
import { scenarios } from './declared/scenario-tables.ts'
import { blackoutWindows } from './declared/settings.ts'
import { simulations } from './declared/simulation-tables.ts'
import { errors } from './errors/errors.ts'
import { experimentRuns } from './experiments/controller.ts'
import { abortWithJob } from './experiments/end.ts'
import {
  experimentAborted,
  experimentCompleted,
  experimentStarted,
  leverEngaged,
  leverReleased,
} from './experiments/events.ts'
import { scheduledExperiments } from './experiments/scheduled-runs.ts'
import { experimentsFact, objectivesFact } from './facts.ts'
import { providerOutages } from './measurements/incidents.ts'
import { timedRestores } from './measurements/restores.ts'
import { experimentsMigration, modelMigration } from './migrations/0001-resilience.ts'
import { schedulesMigration } from './migrations/0002-schedules.ts'
import { analyzeModel } from './model/analyze-task.ts'
import { objectiveBreached, objectiveRestored } from './model/events.ts'
import { seedJob, seedTenant } from './model/seed.ts'
import { chaosRoutes } from './routes/chaos.routes.ts'
import { modelRoutes } from './routes/model.routes.ts'
import { scenarioRoutes } from './routes/scenario.routes.ts'
import { simulationRoutes } from './routes/simulation.routes.ts'
import type { ResilienceServices } from './services/resilience-services.ts'
import { resilienceSignals } from './signals.ts'
import { simulateBlock } from './simulations/block-task.ts'
import { simulationCompleted } from './simulations/events.ts'
import { simulationRuns } from './simulations/run-simulation.ts'
import { runs } from './simulations/runs.ts'
import { settleFailed } from './simulations/settle.ts'

export default defineModule<ResilienceServices>({
  name: 'resilience',
  uses: ['gateway'],
  needs: [factsPort],
  prefix: 'resilience',
  errors,
  tables: [models, services, measurements, scenarios, simulations, experiments, journal, levers],
  migrations: [modelMigration, experimentsMigration, schedulesMigration],
  routes: [...modelRoutes, ...scenarioRoutes, ...simulationRoutes, ...chaosRoutes],
  emits: [
    ...[simulationCompleted, objectiveBreached, objectiveRestored],
    ...[experimentStarted, experimentAborted, experimentCompleted, leverEngaged, leverReleased],
  ],
  handles: [providerOutages, timedRestores],
  settings: [blackoutWindows],
  jobs: [simulationRuns, experimentRuns, scheduledExperiments, seedJob],
  tasks: [analyzeModel, simulateBlock],
  facts: [objectivesFact, experimentsFact, exercisesFact, restoresFact],
  fills: [
    ...runs.notices(({ kernel }: ResilienceServices) => kernel, settleFailed),
    fill(jobCancelledPort, ({ kernel }: ResilienceServices) => abortWithJob(kernel)),
    fill(jobDiedPort, ({ kernel }: ResilienceServices) => abortWithJob(kernel)),
  ],
  services: (kernel, use, need) => ({
    kernel,
    gateway: use(gatewayApi),
    facts: need(factsPort),
    registry: createFaultRegistry({
      ...{ faults: kernel.faults, clock: kernel.clock, live: kernel.live, log: kernel.log },
      ledger: createLedger(kernel),
    }),
  }),
  activities: ({ registry }) => [registry],
  signals: (parts, tx, at) => resilienceSignals(parts, tx, at),
  seed: (parts, tx) => seedTenant(parts, tx),
})
