import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { offlineOf } from '../records/row.ts'

/**
 * `X-Gateway-Mode`: whether the policies of the call are held to (`enforce`), only watch (`monitor`) or look at no content
 * (`off`). On every answer, refusals included; without it nobody who calls could tell that nothing is enforced.
 */
export function modeHeader({ plan: { policy } }: WithPlan): Readonly<Record<string, string>> {
  return { 'x-gateway-mode': policy.effective.mode }
}

/** Headers that every dialect's answers have where there is something to say. */
export function factHeaders(state: WithPlan & WithAttempts): Record<string, string> {
  const retires = retiresAt(state)
  return {
    ...modeHeader(state),
    ...(retires === null ? {} : { 'x-gateway-model-retires': retires }),
    ...(offlineOf(state) ? { 'x-gateway-offline': 'true' } : {}),
    ...(state.attempts.dropped.length === 0
      ? {}
      : { 'x-gateway-dropped-params': state.attempts.dropped.map(inHeader).join(', ') }),
  }
}

/** Names of members are written by callers, and a header holds no other signs. */
function inHeader(pointer: string): string {
  return pointer.toWellFormed().replace(/[^\x21-\x24\x26-\x2b\x2d-\x7e]+/g, encodeURIComponent)
}

/** When the model that answered, or would have, is taken away. */
function retiresAt({ attempts: { served }, plan: { targets } }: WithPlan & WithAttempts): string | null {
  const target = served ?? targets[0]
  return target?.provider.ownModels?.get(target.model)?.retiresAt ?? null
}
