/**
 * Large answers are inspected in a worker thread, so that the event loop goes on. If no thread is free, or if the
 * policy needs state that only this thread has, they are inspected in place and in turns. Tested in
 * whole-inspection.test.ts.
 */
import { NoThreadFree } from '../../../../kernel/threads/thread.ts'
import type { Threads } from '../../../../kernel/threads/threads.ts'
import { isLong } from '../../call/texts/answer-turns.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { WholeInspection } from '../contract/whole-inspection.ts'
import { inspectAnswer, type VaultValues, vaultOf } from './inspect-task.ts'

export function createWholeInspection({ threads }: { readonly threads: Threads }): WholeInspection {
  return {
    inspect: async ({ facts, life, plan }, events) => {
      const { call, policy } = plan
      const values = valuesOf(plan)
      // Conditions ask for the whole call and its time.
      if (!isLong(events) || values === null || policy.conditions.some(({ on }) => on.includes('output'))) return null
      const { operation, dialect } = facts.asked
      const answer = {
        events,
        call,
        policy: policy.effective,
        values,
        actor: facts.actor,
        asked: { operation, dialect },
      }
      try {
        return await threads.run(inspectAnswer, answer, { signal: life.abort, onlyIfFree: true })
      } catch (error) {
        if (error instanceof NoThreadFree) return null
        throw error
      }
    },
  }
}

/** Null where another vault could not be made the same. */
function valuesOf({ vault }: WithPlan['plan']): VaultValues | null {
  if (vault.synthetics.entries().length > 0) return null
  const values = { brackets: vault.brackets, entries: vault.entries() }
  const again = vaultOf(values).entries()
  return again.every(({ placeholder }, index) => placeholder === values.entries[index]?.placeholder) ? values : null
}
