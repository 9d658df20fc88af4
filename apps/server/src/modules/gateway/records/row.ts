import type { SecurityFacts } from '../call/chat-schema.ts'
import { usageOf } from '../call/usage.ts'
import { loggedCost } from '../money/call-cost.ts'
import type { CallState } from '../pipeline/call-state.ts'
import { callDeadlineMs } from '../pipeline/deadline.ts'
import { foundIn, unshownOf } from '../pipeline/findings.ts'
import { recordingStep, stepGoneOn, stepRecord } from '../pipeline/step.ts'
import { isOffline } from '../providers/provider.ts'
import type { IntentRow } from '../schemas/intent.ts'
import type { Decision, RequestRow, RequestStatus, StepRecord, Timings } from '../schemas/request.ts'

type Recorded = Exclude<RequestStatus, 'in_progress'>

/** Milliseconds with microseconds. */
export const rounded = (ms: number): number => Math.max(0, Math.round(ms * 1000) / 1000)

export function securityOf(state: CallState, steps: readonly StepRecord[] = state.steps): SecurityFacts {
  return {
    injection_score: shownScore(state),
    pii_detected: state.piiDetected,
    policy_violations: [...state.violations],
    pipeline_latency_ms: pipelineMs(steps),
  }
}

const scoreOf = ({ injectionScore }: CallState): number => Math.round(injectionScore * 1000) / 1000

/** As everybody may know it who does not see all calls; null where a policy of the call does not show it. */
export function shownScore(state: CallState): number | null {
  return state.policy.effective.reporting.expose_score ? scoreOf(state) : null
}

function pipelineMs(steps: readonly StepRecord[]): number {
  return rounded(steps.reduce((sum, { ms }) => sum + ms, 0))
}

export function timingsOf(state: CallState, nowMs: number, steps: readonly StepRecord[] = state.steps): Timings {
  const total = rounded(nowMs - state.facts.startedMs)
  const own = pipelineMs(steps)
  // A stream waits for its provider between its steps, so what is not ours is the provider's.
  const upstream =
    state.served === null || state.attempts.length === 0 ? 0 : state.ttftMs === null ? state.upstreamMs : total - own
  return {
    pipeline_ms: own,
    upstream_ms: rounded(upstream),
    ttft_ms: state.ttftMs === null ? null : rounded(state.ttftMs),
    total_ms: total,
    queue_ms: rounded(state.queueMs),
    ...(state.savedMs === null ? {} : { saved_ms: rounded(state.savedMs) }),
  }
}

export function decisionOf(state: CallState, status: RequestStatus): Decision {
  if (status === 'blocked') return 'blocked'
  if (state.redacted) return 'redacted'
  // What a policy says to allow is told and is nothing against the call.
  return [...state.found.values()].some(({ action }) => action !== 'allow') ? 'flagged' : 'allowed'
}

/** True when the demo provider answered or would have. */
export function offlineOf({ served, targets }: CallState): boolean {
  const provider = served?.provider ?? targets[0]?.provider
  return provider !== undefined && isOffline(provider)
}

export function costOf(state: CallState) {
  const { amount, currency, status } = loggedCost(state)
  return { amount, currency, status }
}

/** Whose call it is, what it asked for, and who answered or is asked first. */
function askedFacts({ facts, route, served, targets }: CallState) {
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

export function intentRow(state: CallState): IntentRow {
  const { facts } = state
  return Object.assign(askedFacts(state), {
    policies: [...state.policy.sources],
    policy_mode: state.policy.effective.mode,
    decision: decisionOf(state, 'in_progress'),
    prompt_sha256: state.promptSha256 ?? '',
    offline: offlineOf(state),
    stream: facts.asked.stream,
    created_at: facts.startedAt,
    deadline_at: new Date(Date.parse(facts.startedAt) + callDeadlineMs(state) + graceMs).toISOString(),
  })
}

/** After its deadline and this long the outcome of a call is taken for lost. */
const graceMs = 60_000

export interface Outcome {
  readonly state: CallState
  readonly status: Recorded
  readonly auditId: string
  readonly finishedAt: string
  readonly nowMs: number
  /** What step 14 has taken until here; null where nothing is recorded. */
  readonly recordedInMs: number | null
  /** What of the content is kept. */
  readonly retention: RequestRow['retention']
}

export function requestRow(outcome: Outcome): RequestRow {
  const { state, status, auditId, finishedAt, nowMs, recordedInMs, retention } = outcome
  const { facts, policy } = state
  const steps = [...stepsOf(state), ...(recordedInMs === null ? [] : [recordingRecord(recordedInMs)])]
  return Object.assign(askedFacts(state), {
    answered_model: state.answeredModel,
    policies: [...policy.sources],
    policy_mode: policy.effective.mode,
    decision: decisionOf(state, status),
    status,
    error_code: status === 'client_closed' ? clientClosedCode : (state.error?.code ?? null),
    blocked_step: state.blockedStep?.name ?? null,
    usage: usageOf(state),
    cost: loggedCost(state),
    security: { ...securityOf(state, steps), injection_score: scoreOf(state) },
    explanation: state.explanation,
    unshown: unshownOf(state),
    patterns: [...state.patterns],
    entities: Object.fromEntries(state.entities),
    steps,
    timings: timingsOf(state, nowMs, steps),
    attempts: [...state.attempts],
    cache: state.cache,
    fail_open: [...new Set(state.failOpen)],
    stream: facts.asked.stream,
    offline: offlineOf(state),
    retention,
    prompt_sha256: state.promptSha256,
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

/** With what they asked and changed beside their decision. */
export function stepsOf(state: CallState): RequestRow['steps'] {
  const { opinions, lowered, leftOut, restoredChanged } = state
  const steps = state.steps.map((step) => asHappened(state, step))
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

/** What an answer went through is known when it has left, which may be long after its steps were begun. */
function asHappened(state: CallState, step: StepRecord): StepRecord {
  if (step.name !== 'output_inspection' && step.name !== 'restoration') return step
  const found = foundIn(state, step.name)
  const isWithheld = step.n === state.blockedStep?.n || (step.n === 12 && state.withheldUnseen)
  const isRedacted = found.some(({ action }) => action === 'redact')
  const spoken = found.some(({ action }) => action !== 'allow') ? 'flag' : step.decision
  return stepGoneOn(step, {
    decision: isWithheld ? 'block' : isRedacted ? 'redact' : spoken,
    failed: step.failed || state.failOpen.includes(step.name) || (step.n === 12 && state.withheldUnseen),
    findings: found.reduce((sum, { notes }) => sum + notes, 0),
  })
}

const loweringSteps = { policy: 'policy_resolution', model: 'upstream_call' } as const

/** Written to the log only: nobody is there to answer. */
export const clientClosedCode = 'GW-033'

function traceOf(traceparent: string): string | null {
  return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1] ?? null
}
