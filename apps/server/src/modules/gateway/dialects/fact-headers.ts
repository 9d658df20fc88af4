import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { offlineOf } from '../records/row.ts'

/**
 * `X-Gateway-Mode`: whether the call's policies are enforced (`enforce`), only record violations (`monitor`) or do not
 * inspect content (`off`). Sent with every answer, including refusals; otherwise callers could not tell that nothing is
 * enforced.
 */
export function modeHeader({ plan: { policy } }: WithPlan): Readonly<Record<string, string>> {
  return { 'x-gateway-mode': policy.effective.mode }
}

/** Headers of every dialect's answers, if there is something to report. */
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
 * `X-Gateway-Request-Changes`: changes the policies made to the request before it was sent to the model. `max_tokens=N`
 * is the limit that was sent, `system_prompt` is text added to it, `removed_texts` are texts with instructions, which
 * were replaced by a notice of their removal, and `redaction` means values or passages that were removed.
 */
function changesOf({
  attempts: { lowered },
  plan: { call },
  findings: { found },
}: WithAttempts & WithPlan & WithFindings): string {
  const sent = lowered.at(-1)?.sent
  const redacting = [...found.values()].filter(({ action, step }) => action === 'redact' && !ofAnswer.has(step))
  const isRemoved = redacting.some(({ step }) => step === 'injection_detection')
  return [
    ...(sent === undefined ? [] : [`max_tokens=${sent}`]),
    ...(call.turns.some(({ role, at }) => role === 'system' && at === '') ? ['system_prompt'] : []),
    ...(isRemoved ? ['removed_texts'] : []),
    ...(redacting.length > 0 ? ['redaction'] : []),
  ].join(', ')
}

const ofAnswer: ReadonlySet<string> = new Set(['output_inspection', 'restoration'])

/** Member names come from callers, and a header allows only these characters. */
function inHeader(pointer: string): string {
  return pointer.toWellFormed().replace(/[^\x21-\x24\x26-\x2b\x2d-\x7e]+/g, encodeURIComponent)
}

/** Retirement date of the model that answered, or would have. */
function retiresAt({ attempts: { served }, plan: { targets } }: WithPlan & WithAttempts): string | null {
  const target = served ?? targets[0]
  return target?.provider.ownModels?.get(target.model)?.retiresAt ?? null
}
