/**
 * The placeholders of a kept call stay what they are when it runs again. For an ordinary call they would be text somebody
 * typed in their form, which is hidden behind other ones, and the model would be asked something else. Tested in
 * replay.test.ts.
 */
import { mapTexts } from '../call/texts.ts'
import type { CallState } from '../pipeline/call-state.ts'
import type { Pipeline } from '../pipeline/order.ts'
import type { Step } from '../pipeline/step.ts'

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
function showTyped(state: CallState): void {
  const entries = state.vault.entries()
  const taken = new Set(entries.flatMap(({ type, placeholder }) => (type === 'LITERAL' ? [] : [placeholder])))
  const typed = entries.filter(({ type, value }) => type === 'LITERAL' && !taken.has(value))
  if (typed.length === 0) return
  const shown = (text: string): string =>
    typed.reduce((result, { placeholder, value }) => result.replaceAll(placeholder, () => value), text)
  state.call = mapTexts(state.call, ({ text }) => shown(text))
  if (state.keepable !== null) state.keepable = mapTexts(state.keepable, ({ text }) => shown(text))
}
