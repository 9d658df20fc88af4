/**
 * Runs the steps in their order and keeps their times. Promises that a failing step ends as its policy says, that a
 * policy in monitor mode records violations instead of blocking, that no error of a step escapes, that a step that
 * timed out is notified before the call goes on, and that an aborted call goes no further. Tested in run.test.ts.
 */

import type { Clock } from '../../../kernel/base/clock.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { errors } from '../declared/errors.ts'
import { notesOf, passOpen } from '../findings/findings.ts'
import type { CallParts, CallState, Changes } from './contract/call-parts.ts'
import type { Step } from './contract/step.ts'
import { failureProblem, isStepFailure } from './progress/failure.ts'
import { allow, type StepOutcome } from './progress/outcome.ts'
import { toMicroseconds } from './progress/step-clock.ts'
import type { StepName } from './progress/step-names.ts'
import { recordingStep, stepRecord } from './progress/step-record.ts'

interface RunParts {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
}

/** A policy that is off does not look at content; everything else is as always. */
const contentSteps: ReadonlySet<StepName> = new Set([
  'normalization',
  'injection_detection',
  'sensitive_data',
  'content_policy',
])

/** Changes the parts of a call. Each keeps its object, whose members are all there from the beginning. */
export function write(call: CallParts, changes: Changes): void {
  const { plan, money, findings, cached, attempts, answer, timings, progress } = changes
  if (plan !== undefined) Object.assign(call.plan, plan)
  if (money !== undefined) Object.assign(call.money, money)
  if (findings !== undefined) Object.assign(call.findings, findings)
  if (cached !== undefined) Object.assign(call.cached, cached)
  if (attempts !== undefined) Object.assign(call.attempts, attempts)
  if (answer !== undefined) Object.assign(call.answer, answer)
  if (timings !== undefined) Object.assign(call.timings, timings)
  if (progress !== undefined) Object.assign(call.progress, progress)
}

/** Runs steps until one blocks. The outcome is in the state: `error` says why the call may not go on. */
export async function runSteps(parts: RunParts, steps: readonly Step[], state: CallState): Promise<void> {
  for (const step of steps) {
    if (contentSteps.has(step.name) && isOff(state) && step.evenWhenOff?.(state) !== true) continue
    const startedMs = parts.clock.monotonic()
    const waitedBefore = state.timings.upstreamMs
    const notes = notesOf(state)
    const started = attempt(parts, step, state)
    // Most steps answer at once, and awaiting a value that is already there would yield to the event loop.
    const result = started instanceof Promise ? await started : started
    write(state, { progress: { settled: step.n } })
    const outcome = endedBehind(state, step) ?? enforced(state, step, result.outcome)
    const endedMs = parts.clock.monotonic()
    state.timings.stepEnds.push(endedMs)
    const did = {
      decision: outcome.decision,
      ms: toMicroseconds(endedMs - startedMs - (state.timings.upstreamMs - waitedBefore)),
      failed: result.failed || (outcome.decision !== 'block' && outcome.failed === true),
      findings: notesOf(state) - notes,
    }
    state.progress.steps.push(stepRecord(step, did))
    if (outcome.decision !== 'block') continue
    write(state, { progress: { error: outcome.error, blockedStep: { n: step.n, name: step.name } } })
    return
  }
}

/**
 * A call that was ended from outside stops after the running step, even if nothing that the step waited for noticed the
 * abort. The answer of a provider is inspected first, because that counts its usage.
 */
function endedBehind(state: CallState, { n }: Step): StepOutcome | null {
  if (!state.life.abort.aborted || n === 11 || n === recordingStep.n) return null
  return blockedWith(abortProblem(state))
}

function isOff({ plan }: CallState): boolean {
  return plan.policy.effective.mode === 'off'
}

interface Attempted {
  readonly outcome: StepOutcome
  readonly failed: boolean
}

function attempt(parts: RunParts, step: Step, state: CallState): Attempted | Promise<Attempted> {
  try {
    const outcome = step.run(state)
    if (!(outcome instanceof Promise)) return { outcome, failed: false }
    return withinLimit(parts, state, { step, outcome }).then(
      (settled) => ({ outcome: settled, failed: false }),
      (error: unknown) => afterFailure(step, state, error),
    )
  } catch (error) {
    return afterFailure(step, state, error)
  }
}

interface Waiting {
  readonly step: Step
  readonly outcome: Promise<StepOutcome>
}

/**
 * A step must not hold up a call for longer than its limit; exceeding the limit is handled like a failure of the step.
 */
function withinLimit({ clock }: RunParts, state: CallState, { step, outcome }: Waiting): Promise<StepOutcome> {
  const ms = limitOf(step, state)
  if (ms === null) return outcome
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => {
      // Immediately: the awaited result of the step may arrive before the rejection is handled.
      write(state, { progress: { settled: step.n } })
      reject(new Error(`${step.name} took longer than ${ms} ms`))
    })
    outcome.then(resolve, reject).finally(() => timer.stop())
  })
}

function limitOf({ limitMs, budgetMs }: Step, state: CallState): number | null {
  if (typeof limitMs === 'function') return limitMs(state)
  return limitMs === undefined ? Math.max(leastLimitMs, budgetMs * 10) : limitMs
}

/** Anything across a network needs this long on a busy machine. */
const leastLimitMs = 250

function afterFailure(step: Step, state: CallState, error: unknown): Attempted {
  if (state.life.abort.aborted) return { outcome: blockedWith(abortProblem(state)), failed: false }
  if (error instanceof ProblemError) return { outcome: blockedWith(error), failed: isStepFailure(error) }
  const mode =
    step.onFailure === 'closed' || step.onFailure === 'open'
      ? step.onFailure
      : state.plan.policy.effective.failure[step.onFailure]
  if (mode === 'closed') return { outcome: blockedWith(failureProblem(step.name, error)), failed: true }
  passOpen(state, step.name)
  return { outcome: allow, failed: true }
}

function blockedWith(error: ProblemError): StepOutcome {
  return { decision: 'block', error, byPolicy: false }
}

/** Why the call was ended from outside. */
function abortProblem({ life: { abort } }: CallState): ProblemError {
  const reason: unknown = abort.reason
  return reason instanceof ProblemError ? reason : errors.upstreamTimeout({ which: 'aborted' })
}

function enforced(state: CallState, step: Step, outcome: StepOutcome): StepOutcome {
  if (outcome.decision !== 'block' || !outcome.byPolicy || state.plan.policy.effective.mode === 'enforce')
    return outcome
  const monitored = state.findings.monitored ?? { n: step.n, name: step.name, code: outcome.error.code }
  write(state, { findings: { monitored } })
  return { decision: 'flag' }
}
