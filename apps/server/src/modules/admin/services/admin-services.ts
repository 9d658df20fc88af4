import type { Kernel } from '../../../kernel/kernel.ts'
import type { UseApi } from '../../../kernel/module.ts'
import { type IamApi, iamApi } from '../../iam/api.ts'
import { createSettingStore, type SettingStore } from '../config/store.ts'
import { createExposures, type Exposures } from '../flags/exposures.ts'
import { createFlagStore, type FlagStore } from '../flags/store.ts'
import { createHealth, type HealthService } from '../health/service.ts'
import { watchLicense } from '../licenses/health.ts'
import { createSeats, type Seats } from '../licenses/seats.ts'
import { createMaintenanceGate } from '../maintenance/gate.ts'
import { tellNotices } from '../notices/notices.ts'
import { createFlagChanges, type FlagChanges } from '../ofrep/changes.ts'

/** What the module's rules work with. */
export interface AdminServices {
  readonly kernel: Kernel
  readonly iam: IamApi
  readonly settings: SettingStore
  readonly flags: FlagStore
  readonly flagChanges: FlagChanges
  readonly exposures: Exposures
  readonly health: HealthService
  readonly seats: Seats
}

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
