import type { JobDeclaration } from '../../kernel/module/module.ts'
import { retentionJobs } from './audit-log/retention.ts'
import { verifyJob } from './audit-log/verify.ts'
import { copyJob } from './backups/copy.ts'
import { replaceJob } from './backups/replace.ts'
import { backupJobs } from './backups/run.ts'
import { dueBackup, scheduleBackups } from './backups/schedule.ts'
import { platformScheduleJob, scheduleJob } from './flags/schedule.ts'
import { keyAgeJob, tokenKeyAgeJob } from './keys/age.ts'
import { resealJob } from './keys/reseal.ts'
import { licenseJob } from './licenses/day.ts'
import type { AdminServices } from './services/admin-services.ts'

export const adminJobs: readonly JobDeclaration<AdminServices>[] = [
  verifyJob,
  ...retentionJobs,
  ...backupJobs,
  replaceJob,
  copyJob,
  scheduleBackups,
  dueBackup,
  resealJob,
  keyAgeJob,
  tokenKeyAgeJob,
  scheduleJob,
  platformScheduleJob,
  licenseJob,
]
