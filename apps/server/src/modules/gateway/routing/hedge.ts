/**
 * Asks a second target when the first is slow and takes the first content. Promises that the slower one is cut off at
 * once, that both are in the log and both are paid for, and that only a share of calls does this. Tested in
 * hedge.test.ts.
 */

import { Aborter } from '../../../kernel/base/abort.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { WithFacts } from '../call/facts.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { type Target, targetKey } from '../providers/provider.ts'
import type { AskingParts } from './asking-parts.ts'
import { type Attempted, attempt, Outrun, type Trial } from './attempt.ts'
import { stopProblem } from './question.ts'

export interface Hedging extends Trial {
  readonly afterMs: number
  readonly other: Target
  /** As `spent`, of the other one. */
  readonly otherSpent: Set<string>
  /** Key under which hedges are counted. */
  readonly routeId: string
}

/** One attempt, or two where the first was slow; in the order in which they ended, an answer last. */
export async function attemptHedged(
  parts: AskingParts,
  state: WithFacts & WithLife & WithPlan & WithAttempts,
  hedging: Hedging,
): Promise<readonly Attempted[]> {
  const first = start(parts, state, hedging)
  const slow = await isSlow(parts, state, { first: first.ended, hedging })
  if (!slow || !mayBeAsked(parts, state, hedging.other) || !parts.routing.hedges.take(hedging.routeId))
    return [await first.ended]
  const second = start(parts, state, { ...hedging, target: hedging.other, spent: hedging.otherSpent })
  return race(first, second)
}

function mayBeAsked(parts: AskingParts, state: WithFacts & WithPlan, target: Target): boolean {
  return parts.health.restMs(target) === 0 && stopProblem(parts, state, target) === null
}

interface Runner {
  readonly target: Target
  readonly ended: Promise<Attempted>
  readonly cancel: () => void
}

function start(parts: AskingParts, state: WithFacts & WithLife & WithPlan & WithAttempts, trial: Trial): Runner {
  const { aborter, leave } = Aborter.following(trial.signal)
  return {
    target: trial.target,
    ended: attempt(parts, state, { ...trial, signal: aborter }).then(
      (result) => {
        // A stream that has begun goes on, and the end of its call must end it too.
        if (result.kind === 'answered') state.life.cleanups.push(leave)
        else leave()
        return result
      },
      (error: unknown) => {
        leave()
        throw error
      },
    ),
    cancel: () => aborter.abort(new Outrun()),
  }
}

interface Waiting {
  readonly first: Promise<Attempted>
  readonly hedging: Hedging
}

/** Whether the first target has not answered after the time it usually takes, and at least as long as the route says. */
function isSlow({ kernel, routing }: AskingParts, state: WithFacts, { first, hedging }: Waiting): Promise<boolean> {
  const form = state.facts.asked.stream ? 'stream' : 'whole'
  const usual = routing.traffic.p95Ms(targetKey(hedging.target), form) ?? 0
  return new Promise((resolve) => {
    const timer = kernel.clock.after(Math.max(usual, hedging.afterMs), () => resolve(true))
    const ended = (): void => {
      timer.stop()
      resolve(false)
    }
    first.then(ended, ended)
  })
}

async function race(first: Runner, second: Runner): Promise<readonly Attempted[]> {
  const named = (runner: Runner) => runner.ended.then((result) => ({ runner, result }))
  const [a, b] = [named(first), named(second)]
  const quicker = await Promise.race([a, b])
  const slower = quicker.runner === first ? second : first
  if (quicker.result.kind !== 'answered') return [quicker.result, await slower.ended]
  slower.cancel()
  // Cut off, it ends with a rejection that is no failure; one that answered at the same moment is closed.
  slower.ended.then(close, () => {})
  return [quicker.result]
}

async function close(result: Attempted): Promise<void> {
  if (result.kind === 'answered' && result.flow.kind === 'stream')
    await result.flow.events[Symbol.asyncIterator]().return?.(undefined)
}
