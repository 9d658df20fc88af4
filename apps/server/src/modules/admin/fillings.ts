/** The ports of the kernel and of identity that this module answers. */
import { gatePort } from '../../kernel/access/gate.ts'
import { tenantHealthPort } from '../../kernel/health/checks.ts'
import { fill, type PortFilling } from '../../kernel/module/ports/port.ts'
import { checkpointMadePort, jobDiedPort } from '../../kernel/notices/notices.ts'
import { settingValuesPort } from '../../kernel/settings/settings.ts'
import { seatLimitPort } from '../iam/ports/ports.ts'
import { jobCheck } from './health/tenant-jobs.ts'
import { licenseCheck } from './licenses/health.ts'
import { createMaintenanceGate } from './maintenance/gate.ts'
import { tellCheckpoint, tellDeadJob } from './notices/notices.ts'
import type { AdminServices } from './services/admin-services.ts'

export const adminFillings: readonly PortFilling<AdminServices>[] = [
  fill(settingValuesPort, ({ settings }: AdminServices) => settings),
  fill(seatLimitPort, ({ seats }: AdminServices) => seats.limit),
  fill(gatePort, ({ kernel }: AdminServices) => createMaintenanceGate(kernel)),
  fill(jobDiedPort, () => tellDeadJob),
  fill(checkpointMadePort, () => tellCheckpoint),
  fill(tenantHealthPort, ({ kernel }: AdminServices) => jobCheck(kernel)),
  fill(tenantHealthPort, licenseCheck),
]
