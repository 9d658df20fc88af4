import type { Kernel } from '../../kernel/kernel.ts'
import type { UseApi } from '../../kernel/module.ts'
import { type IamApi, iamApi } from '../iam/api.ts'
import { createSettingStore, type SettingStore } from './config/store.ts'
import { createExposures, type Exposures } from './flags/exposures.ts'
import { createFlagStore, type FlagStore } from './flags/store.ts'
import { createHealth, type HealthService } from './health/service.ts'
import { createSeats, type Seats } from './licenses/seats.ts'
import { createMaintenanceGate } from './maintenance/gate.ts'

/** What the module's rules work with. */
export interface AdminServices {
  readonly kernel: Kernel
  readonly iam: IamApi
  readonly settings: SettingStore
  readonly flags: FlagStore
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
  const flags = createFlagStore(kernel, settings)
  return {
    kernel,
    iam: use(iamApi),
    settings,
    flags,
    exposures: createExposures(kernel),
    health: createHealth(kernel, settings),
    seats,
  }
}
