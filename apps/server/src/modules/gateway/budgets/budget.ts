/** A budget in the pipeline's memory, and the calls it covers. Tested in budget.test.ts. */

import { isOfKeyFamily, type KeyFamily } from '../../../kernel/access/actor.ts'
import { matchesGlob } from '../words/globs.ts'
import type { ScopeRule } from './schemas.ts'
import { type Window, type WindowRule, windowAt } from './windows.ts'

export interface Budget {
  readonly id: string
  readonly name: string
  /** A role by its name, however it is stored. */
  readonly scope: readonly ScopeRule[]
  readonly currency: string
  readonly rule: WindowRule
  readonly kind: 'hard' | 'soft'
  readonly onUnpriced: 'block' | 'flag'
  /** Unix milliseconds; the current window is cached. */
  window(at: number): Window
}

export function withWindow(budget: Omit<Budget, 'window'>): Budget {
  let current: Window | null = null
  return {
    ...budget,
    window: (at) => {
      if (current === null || at < current.bucket || at >= current.until) current = windowAt(budget.rule, at)
      return current
    },
  }
}

/** Identity of the caller and the model it asked for. */
export interface Caller extends KeyFamily {
  readonly userId: string
  readonly roles: readonly string[]
  readonly agentId: string | null
  readonly tags: readonly string[]
  /** Model name of the call: a model, an alias or a route. */
  readonly requested: string | null
}

export interface Place {
  readonly provider: { readonly name: string }
  readonly model: string
}

/** Whether the call counts against the budget when this target answers it. */
export function covers(budget: Pick<Budget, 'scope'>, caller: Caller, target: Place): boolean {
  return budget.scope.every((rule) => fits(rule, caller, target))
}

function fits({ kind, value = '' }: ScopeRule, caller: Caller, { provider, model }: Place): boolean {
  switch (kind) {
    case 'tenant':
      return true
    case 'user':
      return value === caller.userId
    case 'role':
      return caller.roles.includes(value)
    case 'key':
      return isOfKeyFamily(value, caller)
    case 'agent':
      return value === caller.agentId
    case 'provider':
      return value === provider.name
    case 'model':
      return matchesGlob(value, model) || matchesGlob(value, `${provider.name}/${model}`)
    case 'route':
      return value === caller.requested
    case 'tag':
      return caller.tags.includes(value)
    default:
      return kind satisfies never
  }
}
