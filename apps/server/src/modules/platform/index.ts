/**
 * Platform: notifications, integrations with their deliveries, durable workflows and signed reports. Promises that a security
 * action of a workflow happens exactly once and never without the approvals it names, that a delivery is repeated under one
 * id until it is taken or told of as dead, and that equal snapshots give equal reports. It judges nothing itself: the modules
 * that it acts through do. Tested beside its files.
 */
import { factsPort } from '../../kernel/facts/facts.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { aegisApi } from '../aegis/api.ts'
import { complianceApi } from '../compliance/api.ts'
import { iamApi } from '../iam/api.ts'
import { trustApi } from '../trust/api.ts'
import { enabledWorkflowsFact } from './check-facts.ts'
import { deliveryDeadLettered, integrationDisabled } from './declared/delivery-events.ts'
import { deliveries, integrations, integrationVersions, subscriptions } from './declared/integration-tables.ts'
import { fanOut } from './deliveries/fan-out.ts'
import { deliveryJob } from './deliveries/run-delivery.ts'
import { deliveryUpkeep, messageUpkeep } from './deliveries/upkeep.ts'
import { errors } from './errors/errors.ts'
import { deliveriesFact, workflowsFact } from './facts.ts'
import { notificationsMigration } from './migrations/0001-notifications.ts'
import { integrationsMigration } from './migrations/0002-integrations.ts'
import { workflowsMigration } from './migrations/0003-workflows.ts'
import { reportsMigration } from './migrations/0004-reports.ts'
import { queueMigration } from './migrations/0005-queue.ts'
import { raiseAlarms } from './notifications/alarms.ts'
import { digestJob, notificationUpkeep } from './notifications/digest.ts'
import { notificationCreated } from './notifications/events.ts'
import { mailedCategories } from './notifications/preferences.ts'
import { inbox, notifications, preferences } from './notifications/tables.ts'
import { reportCompleted } from './reports/events.ts'
import { reportExpiry } from './reports/expiry.ts'
import { reportJob } from './reports/make.ts'
import { reportFiles, reports } from './reports/tables.ts'
import { integrationRoutes } from './routes/integrations.routes.ts'
import { notificationRoutes } from './routes/notifications.routes.ts'
import { reportRoutes } from './routes/reports.routes.ts'
import { workflowRoutes } from './routes/workflows.routes.ts'
import type { PlatformServices } from './services/platform-services.ts'
import { approvalDecided, approvalRequested, workflowCompleted, workflowFailed } from './workflows/declared/events.ts'
import { runSteps, runs, workflows, workflowVersions } from './workflows/declared/tables.ts'
import { runJob } from './workflows/engine.ts'
import { queueJob } from './workflows/queue-job.ts'
import { eventTriggers, scheduleJob } from './workflows/triggers.ts'
import { runUpkeep } from './workflows/upkeep.ts'

export default defineModule<PlatformServices>({
  name: 'platform',
  uses: ['iam', 'aegis', 'compliance', 'trust'],
  needs: [factsPort],
  prefix: 'platform',
  errors,
  tables: [
    ...[notifications, inbox, preferences, integrations, integrationVersions, subscriptions, deliveries],
    ...[workflows, workflowVersions, runs, runSteps, reports, reportFiles],
  ],
  migrations: [notificationsMigration, integrationsMigration, workflowsMigration, reportsMigration, queueMigration],
  sealed: [{ table: 'platform_integration', column: 'sealed' }],
  routes: [...notificationRoutes, ...reportRoutes, ...workflowRoutes, ...integrationRoutes],
  emits: [
    ...[notificationCreated, deliveryDeadLettered, integrationDisabled, reportCompleted],
    ...[workflowCompleted, workflowFailed, approvalRequested, approvalDecided],
  ],
  handles: [raiseAlarms, fanOut, eventTriggers],
  settings: [mailedCategories],
  facts: [workflowsFact, deliveriesFact, enabledWorkflowsFact],
  jobs: [
    ...[deliveryJob, deliveryUpkeep, messageUpkeep, digestJob, notificationUpkeep],
    ...[queueJob, runJob, scheduleJob, runUpkeep, reportJob, reportExpiry],
  ],
  services: (kernel, use, need) => ({
    ...{ kernel, iam: use(iamApi), aegis: use(aegisApi), compliance: use(complianceApi), trust: use(trustApi) },
    facts: need(factsPort),
  }),
})
