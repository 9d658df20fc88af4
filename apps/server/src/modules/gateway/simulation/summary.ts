import { everyKindOf } from '../findings/findings.ts'
import type { Decision } from '../schemas/request.ts'
import type { Outcome } from './dry-run.ts'
import type { Example, Summary } from './schema.ts'

/** One call: its outcome under the policy, and the outcome it is compared with. */
export interface Judged {
  readonly id: string | null
  readonly outcome: Outcome
  readonly before: { readonly decision: Decision; readonly wouldBlock: boolean }
}

export interface Counted {
  readonly matched: number
  readonly notKept: number
  readonly truncated: boolean
}

const mostExamples = 20
const mostRules = 100
const mostRulesOfExample = 20

const blocks = ({ decision, wouldBlock }: Pick<Outcome, 'decision' | 'wouldBlock'>): boolean =>
  decision === 'blocked' || wouldBlock

const isNewlyBlocked = ({ outcome, before }: Judged): boolean => blocks(outcome) && !blocks(before)
const isNewlyAllowed = ({ outcome, before }: Judged): boolean => !blocks(outcome) && blocks(before)

export function summaryOf(judged: readonly Judged[], { matched, notKept, truncated }: Counted): Summary {
  const count = (wanted: (one: Judged) => boolean): number => judged.filter(wanted).length
  return {
    matched,
    evaluated: judged.length,
    not_kept: notKept,
    truncated,
    would_block: count(({ outcome }) => blocks(outcome)),
    would_redact: count(({ outcome }) => !blocks(outcome) && outcome.decision === 'redacted'),
    would_flag: count(({ outcome }) => !blocks(outcome) && outcome.decision === 'flagged'),
    newly_blocked: count(isNewlyBlocked),
    newly_allowed: count(isNewlyAllowed),
    by_rule: byRule(judged),
  }
}

/** Rules by the calls they met, most first. */
function byRule(judged: readonly Judged[]): Summary['by_rule'] {
  const rules = new Map<string, Summary['by_rule'][number]>()
  for (const { outcome } of judged) {
    const own = new Map(
      everyKindOf(outcome).map((found) => [`${found.step}\n${found.rule_id}\n${found.action}`, found]),
    )
    for (const [key, { rule_id, step, action }] of own)
      rules.set(key, { rule_id, step, action, calls: (rules.get(key)?.calls ?? 0) + 1 })
  }
  return [...rules.values()].sort((a, b) => b.calls - a.calls || (a.rule_id < b.rule_id ? -1 : 1)).slice(0, mostRules)
}

/** Calls that would fare otherwise, those that are blocked now first. */
export function examplesOf(judged: readonly Judged[]): Example[] {
  const changed = [
    ...judged.filter(isNewlyBlocked),
    ...judged.filter(isNewlyAllowed),
    ...judged.filter(
      (one) => !isNewlyBlocked(one) && !isNewlyAllowed(one) && one.outcome.decision !== one.before.decision,
    ),
  ]
  return changed.slice(0, mostExamples).map(({ id, outcome, before }) => ({
    request_id: id,
    before: before.decision,
    after: outcome.decision,
    error_code: outcome.error?.code ?? null,
    rules: [...new Set(outcome.security.policy_violations.map(({ rule_id: rule }) => rule))].slice(
      0,
      mostRulesOfExample,
    ),
  }))
}
