/**
 * The placeholders of a kept call stay the same when it runs again. In an ordinary call they would count as typed text
 * in the form of placeholders, which is hidden behind other placeholders, and the model would get a different prompt.
 * Tested in replay.test.ts.
 */

import type { CanonicalCall } from '../call/call.ts'
import { mapTexts } from '../call/texts/texts.ts'
import type { Writes } from '../call/writes.ts'
import type { Step } from '../pipeline/contract/step.ts'
import type { Pipeline } from '../pipeline/order.ts'
import type { WithPlan } from '../plan/call-plan.ts'

/** The pipeline for calls that were redacted before. */
export function forKeptCalls(pipeline: Pipeline): Pipeline {
  return {
    ...pipeline,
    answering: pipeline.answering.map((step) => (step.name === 'sensitive_data' ? kept(step) : step)),
  }
}

function kept(step: Step): Step {
  return {
    ...step,
    run: async (state) => {
      const outcome = await step.run(state)
      showTyped(state)
      return outcome
    },
  }
}

/** A name that this run has given to a value of its own stays hidden: it would be given that value. */
function showTyped(state: WithPlan & Writes<WithPlan>): void {
  const entries = state.plan.vault.entries()
  const taken = new Set(entries.flatMap(({ type, placeholder }) => (type === 'LITERAL' ? [] : [placeholder])))
  const typed = entries.filter(({ type, value }) => type === 'LITERAL' && !taken.has(value))
  if (typed.length === 0) return
  const shown = (text: string): string =>
    typed.reduce((result, { placeholder, value }) => result.replaceAll(placeholder, () => value), text)
  const { call, keepable } = state.plan
  const withTyped = (one: CanonicalCall): CanonicalCall => mapTexts(one, ({ text }) => shown(text))
  state.write({ plan: { call: withTyped(call), keepable: keepable === null ? null : withTyped(keepable) } })
}
