import type { KillSubject } from '../../../aegis/api.ts'
import { askedOf, firstMatch, killSwitchProblem, staleListProblem } from '../../plan/kill-subjects.ts'
import type { Given, Step } from '../contract/step.ts'
import { allow, block } from '../progress/outcome.ts'
import type { PipelineParts } from './parts.ts'

type Reads = 'facts' | 'life' | 'plan' | 'attempts' | 'answer'
type Changed = 'plan'
type Call = Given<Reads, Changed>

/** Refuses calls covered by an active kill switch. No later step can bring such a call back. */
export function killSwitch(parts: PipelineParts): Step<Reads, Changed> {
  return {
    n: 2,
    name: 'kill_switch',
    budgetMs: 0.05,
    onFailure: 'closed',
    run: (state) => {
      if (!parts.aegis.killListFresh()) return block(staleListProblem())
      const stopped = state.plan.targets.map((target) =>
        firstMatch(askedOf(state, target), parts.aegis.matchKillSwitch),
      )
      const open = state.plan.targets.filter((_, index) => stopped[index] === null)
      const [first] = stopped.filter((found) => found !== null)
      if (open.length === 0 && first !== undefined) return block(killSwitchProblem(first, state.facts))
      state.write({ plan: { targets: open } })
      state.life.cleanups.push(
        parts.running.add({
          subjects: () => subjectsOf(state),
          questions: state.life.questions,
          abort: (found) => state.life.abort.abort(killSwitchProblem(found, state.facts)),
        }),
      )
      return allow
    },
  }
}

/** By target; once there is an answer, only the target that gave it. */
function subjectsOf(state: Call): readonly (readonly KillSubject[])[] {
  const {
    answer: { flow: answer },
    attempts: { served },
    plan: { targets },
  } = state
  return (answer === null ? targets : [served]).map((target) => askedOf(state, target))
}
