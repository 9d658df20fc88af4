/**
 * Administration of the installation and of each tenant's part of it: settings with history, feature flags, health,
 * licenses, the audit log, jobs, keys and backups. It keeps no other module's data; the module that reads a setting
 * applies it. Tested beside its files.
 */
import { healthPort, tenantHealthPort } from '../../kernel/health/checks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { jobCancelledPort } from '../../kernel/notices/notices.ts'
import { adminActivities } from './activities.ts'
import { auditLogRoutes } from './audit-log/audit-log.routes.ts'
import { auditLogSettings } from './audit-log/settings.ts'
import { backupRoutes } from './backups/backups.routes.ts'
import { backupBucket, backupBucketKey, backupRetention, backupSchedule } from './backups/settings.ts'
import { configRoutes } from './config/config.routes.ts'
import { errors } from './errors/errors.ts'
import { adminEvents } from './events.ts'
import { adminFacts } from './facts/facts.ts'
import { adminFillings } from './fillings.ts'
import { flagRoutes } from './flags/flags.routes.ts'
import { flagSegments, staleDays } from './flags/settings.ts'
import { healthRoutes } from './health/health.routes.ts'
import { jobRoutes } from './jobs/jobs.routes.ts'
import { adminJobs } from './jobs.ts'
import { keyRoutes } from './keys/keys.routes.ts'
import { dataKeyDays, tokenKeyDays } from './keys/settings.ts'
import { licenseRoutes } from './licenses/licenses.routes.ts'
import { distributorKeys } from './licenses/settings.ts'
import { adminMigrations } from './migrations.ts'
import { ofrepRoutes } from './ofrep/ofrep.routes.ts'
import type { AdminServices } from './services/admin-services.ts'
import { createServices } from './services.ts'
import { adminTables } from './tables.ts'

export default defineModule<AdminServices>({
  name: 'admin',
  uses: ['iam'],
  prefix: 'admin',
  errors,
  tables: adminTables,
  migrations: adminMigrations,
  sealed: [{ table: 'admin_setting', column: 'sealed', rowId: 'key' }],
  settings: [
    ...[staleDays, flagSegments, distributorKeys, dataKeyDays, tokenKeyDays],
    ...auditLogSettings,
    ...[backupSchedule, backupRetention, backupBucket, backupBucketKey],
  ],
  routes: [
    ...configRoutes,
    ...flagRoutes,
    ...healthRoutes,
    ...licenseRoutes,
    ...auditLogRoutes,
    ...jobRoutes,
    ...keyRoutes,
    ...backupRoutes,
  ],
  extraRoutes: { '/ofrep/v1': ofrepRoutes },
  emits: adminEvents,
  jobs: adminJobs,
  needs: [healthPort, tenantHealthPort, jobCancelledPort],
  fills: adminFillings,
  services: createServices,
  activities: adminActivities,
  facts: adminFacts,
})
