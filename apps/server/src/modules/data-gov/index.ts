/**
 * Data governance: consents that decide about the next model call, requests of data subjects with erasure and a signed
 * certificate, retention schedules and legal holds over every table of the platform, classification of data, and lineage
 * down to the model. Promises that withdrawn consent stops the next prompt, and that an erasure is complete only when a
 * search by other means finds nothing. It gives no legal opinion. Tested beside its files.
 */
import { defineModule } from '../../kernel/module/module.ts'
import { fill } from '../../kernel/module/ports/port.ts'
import { inputGuardPort } from '../gateway/ports/call-guards.ts'
import { iamApi } from '../iam/api.ts'
import { dataGovCheckFacts } from './check-facts.ts'
import { labelChanged, scanCompleted } from './classification/events.ts'
import { scanColumns, scanPart } from './classification/scan-task.ts'
import { scanRuns } from './classification/scans.ts'
import { consentChanged } from './consent/events.ts'
import { consentGuard } from './consent/guard.ts'
import { createConsentMemory } from './consent/memory.ts'
import { strictConsent } from './consent/settings.ts'
import { assets, scans } from './declared/asset-tables.ts'
import { aliases, consentHistory, consents, notices, subjects } from './declared/consent-tables.ts'
import { edges, lineageEvents, nodes } from './declared/lineage-tables.ts'
import { erasures, policies, runs } from './declared/retention-tables.ts'
import { errors } from './errors/errors.ts'
import { dataGovFacts } from './facts.ts'
import { flowViolated, lineageReceived } from './lineage/events.ts'
import { flowGuard } from './lineage/flows.ts'
import { createLineageMemory } from './lineage/memory.ts'
import { modelMaxLevel } from './lineage/settings.ts'
import { consentMigration } from './migrations/0001-consent.ts'
import { lineageMigration } from './migrations/0002-lineage.ts'
import { classificationMigration } from './migrations/0003-classification.ts'
import { retentionMigration } from './migrations/0004-retention.ts'
import { erasureLengthsMigration } from './migrations/0005-erasure-lengths.ts'
import { fulfilRuns } from './requests/fulfil.ts'
import { policyRuns, scheduleJob } from './requests/policy-runs.ts'
import { createErasureReplay } from './requests/replay.ts'
import { deadlineJob, exportExpiry } from './requests/upkeep.ts'
import { deadlineWarned, erasureCompleted, holdChanged } from './retention/events.ts'
import { approvalRows } from './retention/settings.ts'
import { classificationRoutes } from './routes/classification.routes.ts'
import { consentRoutes } from './routes/consents.routes.ts'
import { lineageRoutes } from './routes/lineage.routes.ts'
import { retentionRoutes } from './routes/retention.routes.ts'
import type { DataGovServices } from './services/data-gov-services.ts'
import { dataGovSignals } from './signals.ts'

export default defineModule<DataGovServices>({
  name: 'data-gov',
  uses: ['iam'],
  prefix: 'data-gov',
  errors,
  tables: [
    ...[notices, subjects, aliases, consents, consentHistory, nodes, edges, lineageEvents],
    ...[assets, scans, policies, runs, erasures],
  ],
  migrations: [
    ...[consentMigration, lineageMigration, classificationMigration, retentionMigration],
    erasureLengthsMigration,
  ],
  sealed: [{ table: 'data_gov_run', column: 'sealed_aliases' }],
  routes: [...classificationRoutes, ...consentRoutes, ...lineageRoutes, ...retentionRoutes],
  emits: [
    ...[scanCompleted, labelChanged, flowViolated, consentChanged, lineageReceived],
    ...[holdChanged, deadlineWarned, erasureCompleted],
  ],
  jobs: [scanRuns, fulfilRuns, policyRuns, scheduleJob, deadlineJob, exportExpiry],
  settings: [strictConsent, modelMaxLevel, approvalRows],
  tasks: [scanColumns, scanPart],
  facts: [...dataGovFacts, ...dataGovCheckFacts],
  fills: [fill(inputGuardPort, consentGuard), fill(inputGuardPort, flowGuard)],
  signals: (_services, tx, at) => dataGovSignals(tx, at),
  services: (kernel, use) => {
    const hashOf: DataGovServices['hashOf'] = (tenantId, value) =>
      kernel.tenantKeys.blindIndex(tenantId, 'data_gov.subject', value)
    const consent = createConsentMemory({ db: kernel.db, live: kernel.live, hashOf })
    return { kernel, iam: use(iamApi), consent, lineage: createLineageMemory(kernel), hashOf }
  },
  activities: (services) => [
    createErasureReplay(services),
    {
      name: 'data_gov.memory',
      start: async () => undefined,
      stop: async () => {
        services.consent.stop()
        services.lineage.stop()
      },
    },
  ],
})
