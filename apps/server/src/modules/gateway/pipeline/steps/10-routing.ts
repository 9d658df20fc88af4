import { errors } from '../../errors.ts'
import { fieldSupport, type Target } from '../../providers/provider.ts'
import type { CallState } from '../call-state.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, block, type Step } from '../step.ts'

/** Puts the targets in the order in which they are asked: those that can take the call and do not rest. */
export function routing(parts: PipelineParts): Step {
  return {
    n: 10,
    name: 'routing',
    budgetMs: 0.2,
    onFailure: 'closed',
    run: (state) => {
      const unsupported = state.targets.map((target) => unsupportedField(state, target))
      const able = state.targets.filter((_, index) => unsupported[index] === null)
      const [field] = unsupported.filter((found) => found !== null)
      if (able.length === 0 && field !== undefined) {
        const model = state.targets[0]?.model ?? ''
        return block(
          errors.capability({ model, field }).at([{ detail: 'This model does not take this field.', pointer: field }]),
        )
      }
      const rests = able.map(({ provider }) => parts.health.restMs(provider))
      const awake = able.filter((_, index) => rests[index] === 0)
      if (awake.length === 0) {
        const seconds = Math.max(1, Math.ceil(Math.min(...rests) / 1000))
        return block(errors.noHealthyTarget().withHeaders({ 'retry-after': String(seconds) }))
      }
      state.targets = awake
      return allow
    },
  }
}

type Field = keyof (typeof fieldSupport)['echo']

/** The first field of the call the target cannot take, as a pointer; null when it takes them all. */
function unsupportedField({ call, facts }: CallState, { provider }: Target): string | null {
  const used: readonly (readonly [field: Field, at: string | null])[] = [
    ['/messages/content/image_url', imageAt(call.turns)],
    ['/tool_choice', forcesTool(call.toolChoice) ? '/tool_choice' : null],
    ['/tools', call.tools.length > 0 ? '/tools' : null],
    ['/response_format', call.format === null ? null : '/response_format'],
    ['/seed', facts.request.seed === undefined ? null : '/seed'],
  ]
  const refused = used.find(([field, at]) => at !== null && fieldSupport[provider.kind][field] === 'unsupported')
  return refused?.[1] ?? null
}

function imageAt(turns: CallState['call']['turns']): string | null {
  const index = turns.findIndex(({ parts }) => parts.some(({ type }) => type === 'image'))
  return index < 0 ? null : `/messages/${index}/content`
}

/** `auto` and `none` ask nothing of a model that it could not do without tools. */
function forcesTool(choice: CallState['call']['toolChoice']): boolean {
  return choice !== null && choice !== 'auto' && choice !== 'none'
}
