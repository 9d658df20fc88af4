/** The texts of a call that detectors inspect under its policy. */
import { type CallText, textsOf } from '../call/texts/texts.ts'
import type { InjectionText } from '../detection/detectors.ts'
import { noInjectionRules } from '../detection/injection-rules.ts'
import type { TextToScan } from '../detection/joined-texts.ts'
import type { TextsToScan } from '../detection/scan-texts.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { classMatters } from './data-class.ts'
import { inspects } from './sensitive-texts.ts'
import { textsAcross } from './split-values.ts'

export function thresholdsOf({ plan: { policy } }: WithPlan): TextsToScan['thresholds'] {
  const { flag_at: flagAt, block_at: blockAt } = policy.effective.injection
  return { flagAt, blockAt, decodeDepth: policy.effective.normalization.decode_depth }
}

function toScan({ text, provenance, isAttached }: TextToScan): InjectionText {
  return { text, provenance, ...(isAttached && { isAttached }) }
}

interface Given {
  readonly sent: readonly CallText[]
  readonly looked: readonly TextToScan[]
}

export function wantedOf(state: WithPlan, { sent, looked }: Given): TextsToScan {
  const { injection, sensitive_data: rules, content } = state.plan.policy.effective
  const all = classMatters(state)
  const inspected = textsOf(state.plan.call).filter(
    ({ provenance }) => all || (rules.enabled && inspects(rules, provenance)),
  )
  const patterns = content.denied_patterns
    .filter(({ on, action }) => on.includes('input') && action !== 'redact')
    .map(({ pattern }) => pattern)
  return {
    injection: injection.enabled ? looked.map(toScan) : [],
    thresholds: thresholdsOf(state),
    rules: injection,
    sensitive: [
      ...new Set([...inspected.map(({ text }) => text), ...(rules.enabled ? textsAcross(state.plan.call, rules) : [])]),
    ],
    custom: rules.custom,
    patterns,
    matched: patterns.length === 0 ? [] : [...new Set(sent.map(({ text }) => text))],
  }
}

export const nothingWanted = {
  injection: [],
  sensitive: [],
  custom: [],
  thresholds: { flagAt: 1, blockAt: 1 },
  rules: noInjectionRules,
  patterns: [],
  matched: [],
} as const satisfies TextsToScan
