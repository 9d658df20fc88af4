/**
 * Rules that may refuse every call, for reasons unrelated to its route: asked once for each call, after its caller is
 * known and before its body is read. The gate knows no reasons; each reason's owner fills the port with a rule. Tested
 * through the maintenance mode.
 */

import type { ProblemError } from '../errors/problem.ts'
import { definePort } from '../module/ports/port.ts'
import type { Method } from './method.ts'
import type { ModuleName } from './permissions.ts'

export interface GateCall {
  readonly module: ModuleName
  readonly method: Method
  /** As declared, with names in braces. */
  readonly path: string
  readonly ip: string
}

export interface Gate {
  /** The refusal of the call; null lets it pass. Synchronous: it costs every request. */
  refuse(call: GateCall): ProblemError | null
  /** True while the process should take no traffic from a balancer. */
  closed(): boolean
}

/** The rules of all modules. */
export const gatePort = definePort<Gate>({ name: 'kernel.gate', cardinality: 'many' })

/** One gate of all rules: the first that refuses is the answer. */
export function createGate(rules: () => readonly Gate[]): Gate {
  return {
    refuse: (call) => {
      for (const rule of rules()) {
        const problem = rule.refuse(call)
        if (problem !== null) return problem
      }
      return null
    },
    closed: () => rules().some((rule) => rule.closed()),
  }
}
