import type { CallState } from '../pipeline/call-state.ts'
import { offlineOf } from '../records/row.ts'

/** Headers that every dialect's answers have where there is something to say. */
export function factHeaders(state: CallState, wantsTimings: boolean): Record<string, string> {
  const timed = wantsTimings || state.policy.effective.reporting.server_timing
  return {
    ...(offlineOf(state) ? { 'x-gateway-offline': 'true' } : {}),
    ...(state.dropped.length === 0 ? {} : { 'x-gateway-dropped-params': state.dropped.join(', ') }),
    ...(timed ? { 'server-timing': state.steps.map(({ name, ms }) => `${name};dur=${ms}`).join(', ') } : {}),
  }
}
