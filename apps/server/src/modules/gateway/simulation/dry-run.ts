/**
 * One call under one policy, without anything outside: the steps that judge a call, and the one that judges its answer
 * where it was kept. Promises the very steps of a real call, and that nothing is asked, counted or stored. It runs at once,
 * because every step it uses does. Tested in simulation.test.ts.
 */

import type { Actor } from '../../../kernel/access/actor.ts'
import { systemClock } from '../../../kernel/base/clock.ts'
import { createRandom } from '../../../kernel/crypto/random.ts'
import type { WithAttempts } from '../attempts/call-attempts.ts'
import { plainAsked } from '../call/asked.ts'
import type { AnswerEvent, CanonicalCall } from '../call/call.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { unshownOf } from '../findings/findings.ts'
import { beginCall } from '../pipeline/begin.ts'
import type { CallState } from '../pipeline/contract/call-parts.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import { runSteps } from '../pipeline/run.ts'
import { policyResolution } from '../pipeline/steps/03-policy-resolution.ts'
import { normalization } from '../pipeline/steps/05-normalization.ts'
import { injectionDetection } from '../pipeline/steps/06-injection-detection.ts'
import { sensitiveData } from '../pipeline/steps/07-sensitive-data.ts'
import { contentPolicy } from '../pipeline/steps/08-content-policy.ts'
import { outputInspection } from '../pipeline/steps/12-output-inspection.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { appliesTo } from '../policy/callers.ts'
import type { PublishedPolicy } from '../policy/published.ts'
import type { Target } from '../providers/provider.ts'
import { decisionOf, securityOf, stepsOf } from '../records/row.ts'
import type { SecurityFacts } from '../schemas/chat-schema.ts'
import type { Decision, FoundKind, StepRecord } from '../schemas/request.ts'
import { inPlaceCounts } from '../tokens/exact-counts.ts'
import type { Dialect, Operation } from '../words/operations.ts'
import { inPlaceAnalyses, type Memory } from './in-place.ts'

/** A call as it travels to a thread: plain data. */
export interface SimulatedCall {
  readonly id: string | null
  readonly call: CanonicalCall
  /** Null where none was kept. */
  readonly answer: readonly AnswerEvent[] | null
  readonly asked: {
    readonly operation: Operation
    readonly dialect: Dialect
    readonly provider: string | null
    readonly model: string | null
    readonly stream: boolean
    readonly tags: readonly string[]
  }
  readonly actor: Actor
  readonly targets: readonly Target[]
  /** When it was made; conditions may ask. */
  readonly at: string
  /** Its texts were redacted when it was kept, and its metadata was left out. */
  readonly kept: boolean
}

export interface Outcome {
  readonly decision: Decision
  /** The policy only watches and would have blocked. */
  readonly wouldBlock: boolean
  readonly error: { readonly code: string; readonly detail: string } | null
  readonly steps: readonly StepRecord[]
  readonly security: SecurityFacts
  /** Kinds of findings for which it had no room. */
  readonly unshown: readonly FoundKind[]
}

export interface RunUnder {
  readonly policy: PublishedPolicy
  readonly markingKey: Uint8Array
  readonly memory: Memory
}

export function dryRun(simulated: SimulatedCall, under: RunUnder): Outcome {
  const state = stateOf(simulated, under)
  const { policy, memory } = under
  if (!appliesTo(policy, simulated.asked)) return outcomeOf(state)
  const then = { ...clock, iso: () => simulated.at }
  const parts = { kernel: { clock: then }, analyses: inPlaceAnalyses(memory, simulated.kept) }
  const asked = [
    policyResolution({ tokenCounts: inPlaceCounts }),
    normalization(parts),
    injectionDetection(parts),
    sensitiveData(parts),
    contentPolicy(parts),
  ]
  runNow(state, asked)
  if (state.progress.error === null && simulated.answer !== null) {
    state.write({ answer: { flow: { kind: 'whole', events: simulated.answer } } })
    runNow(state, [outputInspection({ ...parts, alone: true })])
  }
  return outcomeOf(state)
}

const clock = systemClock()
const machine = { clock, random: createRandom(clock.now) }

/** No step here waits for anything, so all is done when the call comes back; a promise that is not would be a mistake. */
function runNow(state: CallState, steps: Parameters<typeof runSteps>[1]): void {
  const before = state.progress.steps.length
  runSteps(machine, steps, state).catch(() => undefined)
  if (
    state.progress.error === null &&
    state.plan.policy.effective.mode !== 'off' &&
    state.progress.steps.length !== before + steps.length
  )
    throw new Error('A step of a dry run did not end at once')
}

function stateOf({ call, asked, actor, targets, kept }: SimulatedCall, { policy, markingKey }: RunUnder): CallState {
  const info = {
    id: '',
    path: '',
    ip: '',
    userAgent: null,
    traceparent: '',
    signal: neverAborted,
    header: () => undefined,
  }
  const state = beginCall(
    machine,
    { actor, info },
    { ...plainAsked, ...asked, metadata: call.metadata, read: () => call },
  )
  const bound = {
    ...policy,
    document: kept ? withoutUnkept(policy.document) : policy.document,
    bindings: [{ kind: 'tenant' as const }],
  }
  const snapshot = { providers: [], policies: [bound], markingKey, compiled: new Map() }
  state.write({ plan: { call, targets, snapshot } })
  return state
}

const { signal: neverAborted } = new AbortController()

/** Metadata is not kept, so it cannot be required. */
function withoutUnkept(document: PublishedPolicy['document']): PublishedPolicy['document'] {
  return { ...document, content: { ...document.content, required_metadata: [] } }
}

function outcomeOf(state: WithPlan & WithFindings & WithAttempts & WithProgress): Outcome {
  const blocked = state.progress.error !== null
  return {
    decision: decisionOf(state, blocked ? 'blocked' : 'completed'),
    wouldBlock: state.findings.monitored !== null,
    error:
      state.progress.error === null ? null : { code: state.progress.error.code, detail: state.progress.error.message },
    steps: stepsOf(state),
    security: securityOf(state),
    unshown: unshownOf(state) ?? [],
  }
}
