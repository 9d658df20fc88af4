/**
 * Whether a value in an answer that the policy hides was sent to the provider unredacted. Only the answer can reveal
 * values missed by the inspection of the call. Compares and stores nothing: the value itself is not written anywhere.
 * Tested in rollup.test.ts.
 */

import type { Finding } from '@parapet/detect'
import type { CanonicalCall } from '../call/call.ts'
import { textsOf } from '../call/texts/texts.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { foundIn, note } from '../findings/findings.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { isExempt } from './exempt-values.ts'
import { entityOf, ruleOf } from './sensitive-texts.ts'

/** Category of such a finding in the hourly counts. */
export const sentInClear = 'sent_in_clear'

export function wasSentInClear(state: WithPlan, finding: Finding, value: string): boolean {
  const rules = state.plan.policy.effective.sensitive_data
  if (!rules.enabled) return false
  const rule = ruleOf(rules, entityOf(finding, rules))
  const isHidden = rule.action === 'redact' || rule.action === 'block'
  if (!isHidden || finding.score < rule.min_confidence || isExempt(value, rule)) return false
  const wanted = plain(value)
  return textsSent(state.plan.call).some((text) => text.includes(wanted))
}

const known = new WeakMap<CanonicalCall, readonly string[]>()

/**
 * Read once for all values of an answer: reading it for each of thousands would cost as much as the whole call each
 * time.
 */
function textsSent(call: CanonicalCall): readonly string[] {
  const read = known.get(call)
  if (read !== undefined) return read
  // Texts that the policy itself adds before the model are the policy author's responsibility.
  const turns = call.turns.filter(({ at }) => at !== '')
  const texts = textsOf({ ...call, turns }).map(({ text }) => plain(text))
  known.set(call, texts)
  return texts
}

/** A model may write a number with other separators than in the request. */
function plain(text: string): string {
  return text.toLowerCase().replace(/(?<=\d)[ .-](?=\d)/g, '')
}

/** Notes each kind of value once. */
export function noteSentInClear(state: WithPlan & WithFindings, type: string, location: string): void {
  if (foundIn(state, 'output_inspection').some(({ category, rule }) => category === sentInClear && rule === type))
    return
  note(state, { rule: type, step: 'output_inspection', category: sentInClear, action: 'flag', location })
}
