import type { WithAttempts } from '../attempts/call-attempts.ts'
import { ownTime, rounded, upstreamTime } from '../attempts/upstream-time.ts'
import type { WithFacts } from '../call/facts.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { foundIn, unshownOf } from '../findings/findings.ts'
import { loggedCost } from '../money/call-cost.ts'
import { usageOf } from '../money/usage.ts'
import type { CallParts } from '../pipeline/contract/call-parts.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import { recordingStep, stepGoneOn, stepRecord } from '../pipeline/progress/step-record.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { callDeadlineMs } from '../plan/deadline.ts'
import { isOffline } from '../providers/provider.ts'
import type { SecurityFacts } from '../schemas/chat-schema.ts'
import type { IntentRow } from '../schemas/intent.ts'
import type { Decision, RequestRow, RequestStatus, StepRecord, Timings } from '../schemas/request.ts'

type Recorded = Exclude<RequestStatus, 'in_progress'>

export function securityOf(
  state: WithPlan & WithFindings & WithProgress,
  steps: readonly StepRecord[] = state.progress.steps,
): SecurityFacts {
  return {
    injection_score: shownScore(state),
    pii_detected: state.findings.piiDetected,
    policy_violations: [...state.findings.violations],
    pipeline_latency_ms: ownTime(steps),
  }
}

const scoreOf = ({ findings: { injectionScore } }: WithFindings): number => Math.round(injectionScore * 1000) / 1000

/** The score for people who may not see all calls; null if a policy of the call does not show it. */
export function shownScore(state: WithPlan & WithFindings): number | null {
  return state.plan.policy.effective.reporting.expose_score ? scoreOf(state) : null
}

export function timingsOf(
  state: CallParts,
  nowMs: number,
  steps: readonly StepRecord[] = state.progress.steps,
): Timings {
  const total = rounded(nowMs - state.facts.startedMs)
  const own = ownTime(steps)
  return {
    pipeline_ms: own,
    upstream_ms: rounded(upstreamTime(state, { nowMs, ownMs: own })),
    ttft_ms: state.timings.ttftMs === null ? null : rounded(state.timings.ttftMs),
    total_ms: total,
    queue_ms: rounded(state.timings.queueMs),
    ...(state.cached.savedMs === null ? {} : { saved_ms: rounded(state.cached.savedMs) }),
  }
}

export function decisionOf(state: WithFindings, status: RequestStatus): Decision {
  if (status === 'blocked') return 'blocked'
  if (state.findings.redacted) return 'redacted'
  // A finding that the policy allows is reported and does not count against the call.
  return [...state.findings.found.values()].some(({ action }) => action !== 'allow') ? 'flagged' : 'allowed'
}

/** True when the demo provider answered or would have. */
export function offlineOf({ attempts: { served }, plan: { targets } }: WithPlan & WithAttempts): boolean {
  const provider = served?.provider ?? targets[0]?.provider
  return provider !== undefined && isOffline(provider)
}

export function costOf(state: CallParts) {
  const { amount, currency, status } = loggedCost(state)
  return { amount, currency, status }
}

/** Caller of the call, its request, and the target that answered or is asked first. */
function askedFacts({ facts, plan: { route, targets }, attempts: { served } }: WithFacts & WithPlan & WithAttempts) {
  const target = served ?? targets[0] ?? null
  return {
    id: facts.id,
    tenant_id: facts.tenantId,
    request_id: facts.requestId,
    trace_id: traceOf(facts.traceparent),
    user_id: facts.actor.userId,
    key_id: facts.actor.keyId,
    agent_id: facts.asked.agentId,
    session_id: facts.actor.sessionId,
    dialect: facts.asked.dialect,
    operation: facts.asked.operation,
    requested_provider: facts.asked.provider,
    requested_model: facts.asked.model,
    tags: [...facts.asked.tags],
    parent_request_id: facts.asked.replays,
    route: route?.name ?? null,
    provider: target?.provider.name ?? null,
    model: target?.model ?? null,
  }
}

export function intentRow(state: WithFacts & WithPlan & WithFindings & WithAttempts): IntentRow {
  const { facts } = state
  return Object.assign(askedFacts(state), {
    policies: [...state.plan.policy.sources],
    policy_mode: state.plan.policy.effective.mode,
    decision: decisionOf(state, 'in_progress'),
    prompt_sha256: state.plan.promptSha256 ?? '',
    offline: offlineOf(state),
    stream: facts.asked.stream,
    created_at: facts.startedAt,
    deadline_at: new Date(Date.parse(facts.startedAt) + callDeadlineMs(state) + graceMs).toISOString(),
  })
}

/** After its deadline and this long the outcome of a call is taken for lost. */
const graceMs = 60_000

export interface Outcome {
  readonly state: CallParts
  readonly status: Recorded
  readonly auditId: string
  readonly finishedAt: string
  readonly nowMs: number
  /** Time that step 14 has taken so far; null where nothing is recorded. */
  readonly recordedInMs: number | null
  /** Kept part of the content. */
  readonly retention: RequestRow['retention']
}

export function requestRow(outcome: Outcome): RequestRow {
  const { state, status, auditId, finishedAt, nowMs, recordedInMs, retention } = outcome
  const {
    facts,
    plan: { policy },
  } = state
  const steps = [...stepsOf(state), ...(recordedInMs === null ? [] : [recordingRecord(recordedInMs)])]
  return Object.assign(askedFacts(state), {
    answered_model: state.answer.answeredModel,
    policies: [...policy.sources],
    policy_mode: policy.effective.mode,
    decision: decisionOf(state, status),
    status,
    error_code: status === 'client_closed' ? clientClosedCode : (state.progress.error?.code ?? null),
    blocked_step: state.progress.blockedStep?.name ?? null,
    usage: usageOf(state),
    cost: loggedCost(state),
    security: { ...securityOf(state, steps), injection_score: scoreOf(state) },
    explanation: state.findings.explanation,
    unshown: unshownOf(state),
    patterns: [...state.findings.patterns],
    entities: Object.fromEntries(state.findings.entities),
    steps,
    timings: timingsOf(state, nowMs, steps),
    attempts: [...state.attempts.log],
    cache: state.cached.status,
    fail_open: [...new Set(state.findings.failOpen)],
    stream: facts.asked.stream,
    offline: offlineOf(state),
    retention,
    prompt_sha256: state.plan.promptSha256,
    recovered: false,
    audit_id: auditId,
    created_at: facts.startedAt,
    finished_at: finishedAt,
  })
}

/** Without the wait for the commit: a record cannot hold how long it took to store it. */
function recordingRecord(ms: number): StepRecord {
  return stepRecord(recordingStep, { decision: 'allow', ms: rounded(ms), failed: false, findings: 0 })
}

/** With their requests and changes in addition to their decisions. */
export function stepsOf(state: WithFindings & WithAttempts & WithProgress): RequestRow['steps'] {
  const {
    findings: { opinions, restoredChanged },
    attempts: { lowered, leftOut },
  } = state
  const steps = state.progress.steps.map((step) => asHappened(state, step))
  if (opinions.length + lowered.length + leftOut.length + restoredChanged === 0) return steps
  return steps.map((step) => {
    if (step.name === 'restoration' && restoredChanged > 0) return also(step, { approximate: restoredChanged })
    if (step.name === 'injection_detection' && opinions.length > 0) return also(step, { classifiers: [...opinions] })
    if (step.name === 'routing' && leftOut.length > 0) return also(step, { left_out: [...leftOut] })
    const bound = lowered.find(({ source }) => loweringSteps[source] === step.name)
    return bound === undefined ? step : also(step, { max_tokens: bound })
  })
}

const also = (step: StepRecord, more: Partial<StepRecord>): StepRecord => Object.assign({}, step, more)

/** The handling of an answer is known only when it has left, which may be long after its steps began. */
function asHappened(state: WithFindings & WithProgress, step: StepRecord): StepRecord {
  if (step.name !== 'output_inspection' && step.name !== 'restoration') return step
  const found = foundIn(state, step.name)
  const isWithheld = step.n === state.progress.blockedStep?.n || (step.n === 12 && state.findings.withheldUnseen)
  const isRedacted = found.some(({ action }) => action === 'redact')
  const spoken = found.some(({ action }) => action !== 'allow') ? 'flag' : step.decision
  return stepGoneOn(step, {
    decision: isWithheld ? 'block' : isRedacted ? 'redact' : spoken,
    failed:
      step.failed || state.findings.failOpen.includes(step.name) || (step.n === 12 && state.findings.withheldUnseen),
    findings: found.reduce((sum, { notes }) => sum + notes, 0),
  })
}

const loweringSteps = { policy: 'policy_resolution', model: 'upstream_call' } as const

/** Written to the log only: there is no client left to answer. */
export const clientClosedCode = 'GW-033'

function traceOf(traceparent: string): string | null {
  return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1] ?? null
}
