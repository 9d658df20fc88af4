import { setImmediate as nextTurn } from 'node:timers/promises'
import { once } from '../../../../kernel/base/once.ts'
import type { WithMoney } from '../../money/call-money.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import { callDeadlineMs, deadlineProblem } from '../../plan/deadline.ts'
import { ordinaryCauses } from '../../providers/fault.ts'
import { pause } from '../../providers/pause.ts'
import type { Target } from '../../providers/provider.ts'
import { defaultRetry } from '../../route-model/schemas.ts'
import { type Attempted, attempt, useAnswer } from '../../routing/attempt.ts'
import { tellDropped } from '../../routing/dropped.ts'
import { attemptHedged } from '../../routing/hedge.ts'
import { backoffMs, nextMove } from '../../routing/moves.ts'
import type { Given, Step } from '../contract/step.ts'
import { allow, block, type StepOutcome } from '../progress/outcome.ts'
import { type Failed, finalProblem, type Killed, type Progress, type Resting } from './11-upstream-progress.ts'
import type { PipelineParts } from './parts.ts'

type Reads = 'facts' | 'life' | 'plan' | 'money' | 'findings' | 'cached' | 'attempts' | 'answer' | 'timings'
type Changed = 'attempts' | 'answer' | 'timings' | 'progress'
type Call = Given<Reads, Changed>

/** Asks the targets in turn until one answers. A stream counts as answered when its first content is there. */
export function upstreamCall(parts: PipelineParts): Step<Reads, Changed> {
  return {
    n: 11,
    name: 'upstream_call',
    budgetMs: 0.5,
    // The deadline of the call bounds it, and each wait for a provider has a timeout.
    limitMs: null,
    onFailure: 'closed',
    run: async (state) => {
      if (state.answer.flow !== null) {
        if (state.cached.told !== null) tellDropped(state, state.cached.told.dropped)
        return allow
      }
      if (recordsIntent(state)) {
        const intent = once(() => parts.recorder.intent(state))
        state.write({ progress: { intent } })
        // Its failure is looked at when the outcome is stored; until then it must not count as unhandled.
        onceAsked()
          .then(intent)
          .catch(() => {})
      }
      const timer = parts.kernel.clock.after(callDeadlineMs(state), () =>
        state.life.abort.abort(deadlineProblem(state)),
      )
      state.life.cleanups.push(() => timer.stop())
      return askInTurn(parts, state)
    },
  }
}

/**
 * Nobody waits for the intent before the provider is asked, so the provider does not wait for it to be put together. A
 * kept connection is looked at for one turn of the event loop before it is written to, so the question leaves in the first.
 */
async function onceAsked(): Promise<void> {
  await nextTurn()
  await nextTurn()
}

/** A lost call that cost its budgets something is told of by its intent. */
function recordsIntent({ plan: { policy }, money: { holds } }: WithPlan & WithMoney): boolean {
  return policy.effective.audit.intent_record || holds.length > 0
}

async function askInTurn(parts: PipelineParts, state: Call): Promise<StepOutcome> {
  const { clock } = parts.kernel
  const most = Math.min(state.plan.policy.effective.upstream.max_attempts, state.plan.route?.retry.max_attempts ?? 10)
  const progress: Progress = { asked: 0, at: 0, again: false, spent: new Set(), faults: [], killed: null, rests: [] }
  if (state.plan.route?.hedgeAfterMs != null) parts.routing.hedges.count(state.plan.route.id)
  while (progress.asked < most && progress.at < state.plan.targets.length) {
    const startedMs = clock.monotonic()
    // All the while the provider is waited for, also between two attempts.
    const wentOn = await step(parts, state, { progress, most }).finally(() => {
      state.write({ timings: { upstreamMs: state.timings.upstreamMs + clock.monotonic() - startedMs } })
    })
    if (state.answer.flow !== null) return allow
    if (!wentOn) break
  }
  return block(finalProblem(progress))
}

interface Stepping {
  readonly progress: Progress
  readonly most: number
}

/** One attempt, or two at once, and the move after it; false when nothing is left to do. */
async function step(parts: PipelineParts, state: Call, { progress, most }: Stepping): Promise<boolean> {
  const target = state.plan.targets[progress.at]
  if (target === undefined) return false
  state.write({ attempts: { served: target } })
  if (!progress.again) parts.routing.retries.count(target.provider.id)
  const otherSpent = new Set<string>()
  const results = await askNow(parts, state, { progress, target, otherSpent, mayHedge: progress.asked + 1 < most })
  progress.asked += results.filter(wasAsked).length
  for (const result of results) {
    if (result.kind === 'answered') useAnswer(state, result, parts.kernel.clock.monotonic())
    else remember(progress, result)
  }
  const failed = results.length > 1 ? afterBoth(state, progress, { results, otherSpent }) : results[0]
  if (failed === undefined || results.at(-1)?.kind === 'answered') return false
  if (failed.kind !== 'failed') return goElsewhere(progress)
  return progress.asked < most && goOn(parts, state, { progress, failed })
}

interface Both {
  readonly results: readonly Attempted[]
  readonly otherSpent: Set<string>
}

/** Of two that were asked at once the first is done with, and the call stands at the other, whichever ended last. */
function afterBoth(
  { plan: { targets } }: WithPlan,
  progress: Progress,
  { results, otherSpent }: Both,
): Attempted | undefined {
  progress.at += 1
  progress.spent = otherSpent
  return results.find(({ target }) => target === targets[progress.at])
}

function wasAsked(result: Attempted): boolean {
  return result.kind === 'answered' || (result.kind !== 'resting' && result.asked)
}

function remember(progress: Progress, result: Failed | Killed | Resting): void {
  if (result.kind === 'resting') return void progress.rests.push(result)
  progress.killed = result.kind === 'killed' ? result.problem : null
  if (result.kind === 'failed') progress.faults.push(result)
}

interface AskingNow {
  readonly progress: Progress
  readonly target: Target
  /** Keys of the next one that are refused or limited, where that is asked too. */
  readonly otherSpent: Set<string>
  readonly mayHedge: boolean
}

async function askNow(
  parts: PipelineParts,
  state: Call,
  { progress, target, otherSpent, mayHedge }: AskingNow,
): Promise<readonly Attempted[]> {
  const other = state.plan.targets[progress.at + 1]
  const {
    plan: { route },
  } = state
  const refuseFiltered = other !== undefined && route?.fallbackOn.includes('content_filtered') === true
  const trial = { target, spent: progress.spent, signal: state.life.abort, refuseFiltered }
  const afterMs = route?.hedgeAfterMs ?? null
  if (route === null || other === undefined || afterMs === null || !mayHedge)
    return [await attempt(parts, state, trial)]
  return attemptHedged(parts, state, { ...trial, other, otherSpent, afterMs, routeId: route.id })
}

function goElsewhere(progress: Progress): true {
  progress.at += 1
  progress.again = false
  progress.spent = new Set()
  return true
}

interface GoingOn {
  readonly progress: Progress
  readonly failed: Failed
}

async function goOn(parts: PipelineParts, state: Call, { progress, failed }: GoingOn): Promise<boolean> {
  const { health, routing, kernel } = parts
  const { target, fault } = failed
  const move = nextMove({
    fault: fault.kind,
    fallbackOn: state.plan.route?.fallbackOn ?? ordinaryCauses,
    hasOtherKey: health.hasOtherKey(target, progress.spent),
    hasOtherTarget: progress.at + 1 < state.plan.targets.length,
    takeRetry: () => routing.retries.take(target.provider.id),
  })
  if (move === 'elsewhere') return goElsewhere(progress)
  progress.again = true
  if (move === 'wait') {
    const { base_ms: baseMs, cap_ms: capMs } = state.plan.route?.retry ?? defaultRetry
    const { retryAfterMs } = fault
    const tried = { attempt: progress.asked - 1, retryAfterMs, fraction: kernel.random.fraction() }
    const waitsFrom = kernel.clock.monotonic()
    await pause(backoffMs({ baseMs, capMs }, tried), { clock: kernel.clock, signal: state.life.abort })
    state.write({ timings: { queueMs: state.timings.queueMs + kernel.clock.monotonic() - waitsFrom } })
  }
  return move !== 'stop'
}
