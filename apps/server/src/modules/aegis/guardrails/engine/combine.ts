/**
 * Makes one decision of all guardrails that matched. Promises the same decision whatever their order, and that the
 * strictest counts: deny, then quarantine and the end of the session, then hold, then changes, then allow. Pure. Tested
 * in combine.test.ts.
 */
import type { ActionConfig } from '../declared/schema.ts'
import type { CombinedDecision, GuardrailAction, GuardrailKind } from '../declared/words.ts'
import type { Span } from './facts.ts'

/** A guardrail that matched, or whose check failed. */
export interface Hit {
  readonly guardrailId: string
  readonly name: string
  readonly kind: GuardrailKind
  readonly version: number
  /** Where the check failed: `deny` or `monitor`, by `on_error`. */
  readonly action: GuardrailAction
  readonly mode: 'monitor' | 'enforce'
  /** It takes part in the decision. */
  readonly enforced: boolean
  /** A check could not be decided. */
  readonly failed: boolean
  /** For the caller; never text of the call. */
  readonly reason: string
  readonly tags: readonly string[]
}

export interface Matched extends Hit {
  readonly config: ActionConfig
  /** To be taken out where it redacts. */
  readonly spans: readonly Span[]
}

export interface HoldTerms {
  /** Guardrails that hold the call. */
  readonly guardrails: readonly { readonly guardrailId: string; readonly version: number }[]
  readonly approverRoles: readonly string[]
  readonly minApprovers: number
  readonly timeoutSeconds: number
}

export interface Redaction extends Span {
  /** Name of the guardrail. */
  readonly rule: string
}

export interface Transform {
  readonly pointer: string
  readonly value: string | number | boolean | null
}

export interface Combined {
  readonly decision: CombinedDecision
  /** All that matched, the enforced ones and the others, by guardrail and version. */
  readonly hits: readonly Hit[]
  /** Of the decision `hold`. */
  readonly hold: HoldTerms | null
  readonly redactions: readonly Redaction[]
  readonly transforms: readonly Transform[]
  /** Also where a denial is the decision, each enforced guardrail's own effect on agent and session counts. */
  readonly quarantinesAgent: boolean
  readonly killsSession: boolean
  /** For the caller where the call is not let through; null for one that is. */
  readonly reason: string | null
}

const usualTimeoutSeconds = 900

export function combine(matched: readonly Matched[]): Combined {
  const sorted = matched.toSorted(byGuardrail)
  const enforced = sorted.filter((hit) => hit.enforced && hit.action !== 'monitor')
  const of = (action: GuardrailAction): readonly Matched[] => enforced.filter((hit) => hit.action === action)
  const holds = of('hold')
  const hold = holds.length === 0 ? null : termsOf(holds)
  const decision = decisionOf(of, hold)
  const blocking = decision === 'deny' && of('deny').length === 0 ? holds : of(decision as GuardrailAction)
  const isBlocked = decision !== 'allow' && decision !== 'modify' && decision !== 'none'
  return {
    decision,
    hits: sorted.map(({ config: _config, spans: _spans, ...hit }) => hit),
    hold: decision === 'hold' && hold !== 'impossible' ? hold : null,
    redactions: of('redact').flatMap(({ spans, name }) => spans.map((span) => ({ ...span, rule: name }))),
    transforms: of('transform').flatMap(({ config: { pointer, value } }) =>
      pointer === undefined || value === undefined ? [] : [{ pointer, value }],
    ),
    quarantinesAgent: of('quarantine_agent').length > 0,
    killsSession: of('kill_session').length > 0,
    reason: isBlocked ? (blocking[0]?.reason ?? null) : null,
  }
}

type ByAction = (action: GuardrailAction) => readonly Matched[]

function decisionOf(of: ByAction, hold: HoldTerms | 'impossible' | null): CombinedDecision {
  if (of('deny').length > 0 || hold === 'impossible') return 'deny'
  if (of('quarantine_agent').length > 0) return 'quarantine_agent'
  if (of('kill_session').length > 0) return 'kill_session'
  if (hold !== null) return 'hold'
  if (of('redact').length > 0 || of('transform').length > 0) return 'modify'
  return of('allow').length > 0 ? 'allow' : 'none'
}

const keyOf = ({ guardrailId, version }: Hit): string => `${guardrailId}@${String(version).padStart(10, '0')}`
const byGuardrail = (one: Hit, other: Hit): number => (keyOf(one) < keyOf(other) ? -1 : 1)

/** The strictest terms of all holds; a call that no approver could approve for all of them cannot be held. */
function termsOf(holds: readonly Matched[]): HoldTerms | 'impossible' {
  const wanted = holds.flatMap(({ config }) => config.hold ?? [])
  const roles = wanted.flatMap(({ approver_roles = [] }) => (approver_roles.length === 0 ? [] : [approver_roles]))
  const [first = [], ...others] = roles
  const common = first.filter((role) => others.every((list) => list.includes(role)))
  if (roles.length > 0 && common.length === 0) return 'impossible'
  return {
    guardrails: holds.map(({ guardrailId, version }) => ({ guardrailId, version })),
    approverRoles: [...new Set(common)].toSorted(),
    minApprovers: Math.max(1, ...wanted.map(({ min_approvers = 1 }) => min_approvers)),
    timeoutSeconds: Math.min(...holds.map(({ config }) => config.hold?.timeout_seconds ?? usualTimeoutSeconds)),
  }
}
