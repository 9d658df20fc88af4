import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { WithFindings } from '../findings/call-findings.ts'
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
export function factHeaders(state: WithPlan & WithFindings & WithAttempts): Record<string, string> {
  const retires = retiresAt(state)
  const changes = changesOf(state)
  return {
    ...modeHeader(state),
    ...(retires === null ? {} : { 'x-gateway-model-retires': retires }),
    ...(offlineOf(state) ? { 'x-gateway-offline': 'true' } : {}),
    ...(changes === '' ? {} : { 'x-gateway-request-changes': changes }),
    ...(state.attempts.dropped.length === 0
      ? {}
      : { 'x-gateway-dropped-params': state.attempts.dropped.map(inHeader).join(', ') }),
  }
}

/**
 * `X-Gateway-Request-Changes`: what the policies changed in the request before its model got it. `max_tokens=N` is the limit
 * that was sent, `system_prompt` text that was added to it, and `redaction` values or passages that were taken out.
 */
function changesOf({
  attempts: { lowered },
  plan: { call },
  findings: { found },
}: WithAttempts & WithPlan & WithFindings): string {
  const sent = lowered.at(-1)?.sent
  const isRedacted = [...found.values()].some(({ action, step }) => action === 'redact' && !ofAnswer.has(step))
  return [
    ...(sent === undefined ? [] : [`max_tokens=${sent}`]),
    ...(call.turns.some(({ role, at }) => role === 'system' && at === '') ? ['system_prompt'] : []),
    ...(isRedacted ? ['redaction'] : []),
  ].join(', ')
}

const ofAnswer: ReadonlySet<string> = new Set(['output_inspection', 'restoration'])

/** Names of members are written by callers, and a header holds no other signs. */
function inHeader(pointer: string): string {
  return pointer.toWellFormed().replace(/[^\x21-\x24\x26-\x2b\x2d-\x7e]+/g, encodeURIComponent)
}

/** When the model that answered, or would have, is taken away. */
function retiresAt({ attempts: { served }, plan: { targets } }: WithPlan & WithAttempts): string | null {
  const target = served ?? targets[0]
  return target?.provider.ownModels?.get(target.model)?.retiresAt ?? null
}
