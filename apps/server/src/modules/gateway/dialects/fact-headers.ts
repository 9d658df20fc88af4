import type { CallState } from '../pipeline/call-state.ts'
import { offlineOf } from '../records/row.ts'

/**
 * `X-Gateway-Mode`: whether the policies of the call are held to (`enforce`), only watch (`monitor`) or look at no content
 * (`off`). On every answer, refusals included; without it nobody who calls could tell that nothing is enforced.
 */
export function modeHeader({ policy }: CallState): Readonly<Record<string, string>> {
  return { 'x-gateway-mode': policy.effective.mode }
}

/** Headers that every dialect's answers have where there is something to say. */
export function factHeaders(state: CallState): Record<string, string> {
  const retires = retiresAt(state)
  return {
    ...modeHeader(state),
    ...(retires === null ? {} : { 'x-gateway-model-retires': retires }),
    ...(offlineOf(state) ? { 'x-gateway-offline': 'true' } : {}),
    ...(state.dropped.length === 0 ? {} : { 'x-gateway-dropped-params': state.dropped.map(inHeader).join(', ') }),
  }
}

/** Names of members are written by callers, and a header holds no other signs. */
function inHeader(pointer: string): string {
  return pointer.toWellFormed().replace(/[^\x21-\x24\x26-\x2b\x2d-\x7e]+/g, encodeURIComponent)
}

/** When the model that answered, or would have, is taken away. */
function retiresAt({ served, targets }: CallState): string | null {
  const target = served ?? targets[0]
  return target?.provider.ownModels?.get(target.model)?.retiresAt ?? null
}
