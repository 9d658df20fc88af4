export { AuditPage } from './audit'
export { HealthPage } from './health'
export { FlagsPage, JobsPage } from './lists'
export { SettingsPage } from './settings'
