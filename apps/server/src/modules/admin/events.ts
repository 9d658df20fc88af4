import type { EventDefinition } from '../../kernel/events/catalogue/catalogue.ts'
import { auditLogEvents } from './audit-log/events.ts'
import { backupEvents } from './backups/events.ts'
import { configChanged } from './config/events.ts'
import { flagChanged } from './flags/events.ts'
import { healthDegraded, healthRecovered } from './health/events.ts'
import { jobDeadLettered } from './jobs/events.ts'
import { keyEvents } from './keys/events.ts'
import { licenseEvents } from './licenses/events.ts'
import { maintenanceEnded, maintenanceStarted } from './maintenance/events.ts'

export const adminEvents: readonly EventDefinition[] = [
  configChanged,
  maintenanceStarted,
  maintenanceEnded,
  flagChanged,
  healthDegraded,
  healthRecovered,
  ...licenseEvents,
  ...auditLogEvents,
  ...keyEvents,
  ...backupEvents,
  jobDeadLettered,
]
