import type { Bus } from '../events/bus/port.ts'
import type { HealthCheck } from './checks.ts'

/** Without its bus an instance hears of news by looking every second, so that is a warning and no failure. */
export function busCheck(bus: Pick<Bus, 'healthy'>, kind: 'memory' | 'nats'): HealthCheck {
  return {
    name: 'event_bus',
    run: async () => ({ status: bus.healthy() ? 'pass' : 'warn', observed: { kind, connected: bus.healthy() } }),
  }
}
