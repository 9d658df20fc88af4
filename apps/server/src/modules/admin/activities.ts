import type { Activity } from '../../kernel/module.ts'
import type { AdminServices } from './services/admin-services.ts'

export function adminActivities({ settings, exposures, health, seats }: AdminServices): readonly Activity[] {
  return [settings, exposures, health, seats]
}
