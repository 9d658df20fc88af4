/**
 * A question to one target, as kill switches see it. Promises that no target is asked which a hard switch covers by
 * then, and that one that comes later ends the question without the call. A switch that blocks new calls was looked at
 * in step 2; one that came since lets the call end. Tested in kill-switch-questions.test.ts.
 */

import { Aborter, type AbortWatch } from '../../../kernel/base/abort.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { WithFacts } from '../call/facts.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { askedOf, firstMatch, killSwitchProblem, staleListProblem } from '../plan/kill-subjects.ts'
import type { Target } from '../providers/provider.ts'
import type { AskingParts } from './asking-parts.ts'

export interface Question {
  /** Aborts with its call, or alone. */
  readonly signal: AbortWatch
  /** Why it was ended alone. */
  stopped(): ProblemError | null
  close(): void
}

/** Why the target may not be asked any more; calls of several targets can be older than the switch. */
export function stopProblem({ aegis }: Pick<AskingParts, 'aegis'>, state: WithFacts & WithPlan, target: Target) {
  if (!aegis.killListFresh()) return staleListProblem()
  const found = firstMatch(askedOf(state, target), aegis.matchKillSwitchOfRunning)
  return found === null ? null : killSwitchProblem(found, state.facts)
}

/** From here on a kill switch can end it. */
export function openQuestion(state: WithFacts & WithLife & WithPlan, target: Target, signal: AbortWatch): Question {
  const { aborter, leave } = Aborter.following(signal)
  let stopped: ProblemError | null = null
  const running = {
    subjects: askedOf(state, target),
    abort: (killSwitch: Parameters<typeof killSwitchProblem>[0]) => {
      stopped ??= killSwitchProblem(killSwitch, state.facts)
      aborter.abort(stopped)
    },
  }
  state.life.questions.add(running)
  return {
    signal: aborter,
    stopped: () => stopped,
    close: () => {
      leave()
      state.life.questions.delete(running)
    },
  }
}
