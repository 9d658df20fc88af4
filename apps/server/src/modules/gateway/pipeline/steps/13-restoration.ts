import { createRestoreStream, type Vault } from '@parapet/detect'
import { textFilter, through } from '../../call/event-filter.ts'
import type { EntityRule } from '../../policy/merge.ts'
import type { CallState } from '../call-state.ts'
import type { PipelineParts } from '../parts.ts'
import { stepClock } from '../run.ts'
import { entityOf } from '../sensitive-texts.ts'
import { allow, type Step } from '../step.ts'

/** Puts the caller's own values back where the answer holds their placeholders. */
export function restoration(parts: PipelineParts): Step {
  return {
    n: 13,
    name: 'restoration',
    budgetMs: 0.2,
    onFailure: 'open',
    run: (state) => {
      if (state.answer === null || state.vault.entries().length === 0) return allow
      const vault = restorable(state)
      const filter = textFilter(({ json }) => createRestoreStream(vault, { json }))
      state.answer = through(state.answer, filter, stepClock(parts.kernel, state, 13))
      return allow
    },
  }
}

/** The call's vault without the kinds whose rule says that they stay hidden. What the caller typed itself always returns. */
function restorable({ vault, policy }: CallState): Vault {
  const { entities } = policy.effective.sensitive_data
  const hidden = new Set(
    vault
      .entries()
      .flatMap(({ placeholder, type }) =>
        type === 'LITERAL' || ruleOf(entities, type).restore ? [] : [nameOf(placeholder)],
      ),
  )
  if (hidden.size === 0) return vault
  return { ...vault, valueOf: (name) => (hidden.has(name.toUpperCase()) ? undefined : vault.valueOf(name)) }
}

function ruleOf(entities: Readonly<Record<string, EntityRule>>, type: string): EntityRule {
  const entity = entityOf({ detector: 'pii', type, start: 0, end: 0, score: 1 })
  return entities[entity] ?? { action: 'redact', min_confidence: 0, restore: false }
}

function nameOf(placeholder: string): string {
  return placeholder.replace(/^[^A-Za-z]+|[^A-Za-z0-9]+$/g, '').toUpperCase()
}
