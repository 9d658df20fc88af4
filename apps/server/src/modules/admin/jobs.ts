import type { JobDeclaration } from '../../kernel/module.ts'
import { verifyJob } from './audit-log/verify.ts'
import { backupJobs } from './backups/run.ts'
import { scheduleJob } from './flags/schedule.ts'
import { resealJob } from './keys/reseal.ts'
import { licenseJob } from './licenses/day.ts'
import type { AdminServices } from './services.ts'

export const adminJobs: readonly JobDeclaration<AdminServices>[] = [
  verifyJob,
  ...backupJobs,
  resealJob,
  scheduleJob,
  licenseJob,
]
