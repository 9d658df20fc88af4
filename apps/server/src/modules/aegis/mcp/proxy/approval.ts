/**
 * A call that waits for a person, in the form that its client understands: a modern client asks again by itself, an older
 * one with a progress token hears of progress, and any other waits for up to 45 s and repeats the call later. Tested in
 * approval.test.ts.
 */
import type { HoldTerms, ToolCall } from '../call/guards.ts'
import { approvalKey, type Refusal, refusals } from '../call/refusals.ts'
import { type Members, objectOf } from '../wire/json-rpc.ts'
import type { ProxyServices } from './services.ts'

const waitMs = 45_000
/** Between two pieces of progress, and of one round of a modern client. */
const progressMs = 10_000
const roundMs = 25_000
const statePrefix = 'parapet.approval.'

/** A state that says nothing: the same call finds its approval by its arguments. */
export const isOwnState = (state: unknown): boolean => typeof state === 'string' && state.startsWith(statePrefix)

export type Held = 'approved' | { readonly refusal: Refusal }

export async function* approved(
  services: ProxyServices,
  call: ToolCall,
  terms: HoldTerms,
): AsyncGenerator<Members, Held, undefined> {
  const { asked } = call
  const { facts, params } = asked
  const token = objectOf(params._meta).progressToken
  const isModern = facts.era === 'modern'
  const hasProgress = !isModern && (typeof token === 'string' || typeof token === 'number')
  const form = isModern ? 'mrtr' : hasProgress ? 'sse' : 'retry'
  let state = await services.guards.request(call, terms, form)
  const until =
    services.kernel.clock.monotonic() + (hasProgress ? terms.timeoutSeconds * 1_000 : isModern ? roundMs : waitMs)
  for (let step = 0; state.status === 'pending'; step += 1) {
    const left = until - services.kernel.clock.monotonic()
    if (left <= 0 || asked.caller.request.signal.aborted) break
    if (hasProgress) yield progressOf(token, step)
    const next = await services.guards.wait(asked, state.id, Math.min(left, hasProgress ? progressMs : left))
    if (next === null) break
    state = next
  }
  const told = { [approvalKey]: { id: state.id, status: state.status, expires_at: state.expiresAt } }
  if (state.status === 'denied') return { refusal: { ...refusals.denied, data: told } }
  if (state.status === 'pending')
    return {
      refusal: { ...refusals.pending, data: { ...told, ...(isModern ? { [roundKey]: statePrefix + state.id } : {}) } },
    }
  const isOurs = await services.guards.redeem(call, terms, state.id)
  return isOurs ? 'approved' : { refusal: { ...refusals.denied, data: told } }
}

/** Marks a refusal that a modern client answers by asking again. */
export const roundKey = 'requestState'

const progressOf = (progressToken: unknown, progress: number): Members => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress, message: 'Waiting for the approval of a person.' },
})
