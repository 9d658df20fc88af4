import type { Kernel } from '../../kernel/kernel.ts'
import type { UseApi } from '../../kernel/module/module.ts'
import { iamApi } from '../iam/api.ts'
import { createSettingStore } from './config/store.ts'
import { createExposures } from './flags/exposures.ts'
import { createFlagStore } from './flags/store.ts'
import { createHealth } from './health/service.ts'
import { watchLicense } from './licenses/health.ts'
import { createSeats } from './licenses/seats.ts'
import { createMaintenanceGate } from './maintenance/gate.ts'
import { tellNotices } from './notices/notices.ts'
import { createFlagChanges } from './ofrep/changes.ts'
import type { AdminServices } from './services/admin-services.ts'

export function createServices(kernel: Kernel, use: UseApi): AdminServices {
  const settings = createSettingStore(kernel)
  kernel.settings.fill(settings, settings.loaded)
  const seats = createSeats(kernel)
  kernel.seats.fill(seats.limit)
  kernel.gate.add(createMaintenanceGate(kernel))
  tellNotices(kernel)
  const flags = createFlagStore(kernel, settings)
  const services: AdminServices = {
    kernel,
    iam: use(iamApi),
    settings,
    flags,
    flagChanges: createFlagChanges({ clock: kernel.clock, flags }),
    exposures: createExposures(kernel),
    health: createHealth(kernel, settings),
    seats,
  }
  watchLicense(services)
  return services
}
