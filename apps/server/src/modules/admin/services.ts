import { healthPort, tenantHealthPort } from '../../kernel/health/checks.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { UseApi } from '../../kernel/module/module.ts'
import type { Need } from '../../kernel/module/ports/port.ts'
import { jobCancelledPort, tellAll } from '../../kernel/notices/notices.ts'
import { iamApi } from '../iam/api.ts'
import { createSettingStore } from './config/store.ts'
import { createExposures } from './flags/exposures.ts'
import { createFlagStore } from './flags/store.ts'
import { createHealth } from './health/service.ts'
import { createSeats } from './licenses/seats.ts'
import { createFlagChanges } from './ofrep/changes.ts'
import type { AdminServices } from './services/admin-services.ts'

export function createServices(kernel: Kernel, use: UseApi, need: Need): AdminServices {
  const settings = createSettingStore(kernel)
  const flags = createFlagStore(kernel, settings)
  return {
    kernel,
    iam: use(iamApi),
    settings,
    flags,
    flagChanges: createFlagChanges({ clock: kernel.clock, flags }),
    exposures: createExposures(kernel),
    health: createHealth(kernel, settings, { platform: need(healthPort), tenant: need(tenantHealthPort) }),
    seats: createSeats(kernel),
    jobCancelled: tellAll(need(jobCancelledPort)),
  }
}
