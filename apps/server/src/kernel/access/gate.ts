/**
 * Rules that may keep every call out, whatever its route: asked once for each call, after its caller is known and before
 * its body is read. The gate knows no reasons; who owns a reason adds a rule. Tested through the maintenance mode.
 */

import type { ProblemError } from '../errors/problem.ts'
import type { Method } from './method.ts'
import type { ModuleName } from './permissions.ts'

export interface GateCall {
  readonly module: ModuleName
  readonly method: Method
  /** As declared, with names in braces. */
  readonly path: string
  readonly ip: string
}

export interface GateRule {
  /** What the call is refused with; null lets it pass. Synchronous: it costs every request. */
  refuse(call: GateCall): ProblemError | null
  /** True while the process should take no traffic from a balancer. */
  closed(): boolean
}

export interface Gate extends GateRule {
  add(rule: GateRule): void
}

export function createGate(): Gate {
  const rules: GateRule[] = []
  return {
    add: (rule) => void rules.push(rule),
    refuse: (call) => {
      for (const rule of rules) {
        const problem = rule.refuse(call)
        if (problem !== null) return problem
      }
      return null
    },
    closed: () => rules.some((rule) => rule.closed()),
  }
}
