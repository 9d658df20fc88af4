import type { Activity } from '../../kernel/lifecycle/activity.ts'
import type { AdminServices } from './services/admin-services.ts'

export function adminActivities({ settings, exposures, health, seats }: AdminServices): readonly Activity[] {
  return [settings, exposures, health, seats]
}
