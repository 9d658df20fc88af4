import type { Vault, VaultEntry } from '@parapet/detect'
import type { WithPlan } from '../plan/call-plan.ts'
import { entityOf, ruleOf } from './sensitive-texts.ts'

/**
 * The call's vault without the kinds that stay hidden by their rule. Text that the caller typed in the form of a
 * placeholder is always restored.
 */
export function restorable({ plan: { vault, policy } }: WithPlan): Vault {
  const rules = policy.effective.sensitive_data
  const stays = ({ type }: VaultEntry): boolean =>
    type !== 'LITERAL' && !ruleOf(rules, entityOf({ detector: 'pii', type }, rules)).restore
  const hidden = vault.entries().filter(stays)
  if (hidden.length === 0) return vault
  const names = new Set(hidden.map(({ placeholder }) => nameOf(placeholder)))
  const values = new Set(hidden.map(({ value }) => value))
  return {
    ...vault,
    valueOf: (name) => (names.has(name.toUpperCase()) ? undefined : vault.valueOf(name)),
    synthetics: {
      ...vault.synthetics,
      readAt: (text, at) => {
        const read = vault.synthetics.readAt(text, at)
        return typeof read === 'object' && values.has(read.value) ? 'none' : read
      },
    },
  }
}

function nameOf(placeholder: string): string {
  return placeholder.replace(/^[^A-Za-z]+|[^A-Za-z0-9]+$/g, '').toUpperCase()
}
