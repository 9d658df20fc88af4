/** Effects of guards' verdicts on a call: rows in the request log and the outcome of the step. */
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { WithFacts } from '../call/facts.ts'
import { errors } from '../declared/errors.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { note } from '../findings/findings.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { GuardedCall } from '../ports/call-guards.ts'
import type { Judgement, Said } from './combine.ts'

export function guardedCall({ facts, life }: WithFacts & WithLife): GuardedCall {
  const { id, requestId, tenantId, actor, asked } = facts
  return {
    ...{ id, requestId, tenantId, actor },
    agentId: asked.agentId,
    model: asked.model,
    tags: asked.tags,
    isStream: asked.stream,
    signal: life.abort,
  }
}

export type GuardedStep = 'content_policy' | 'output_inspection'

/** Records rows like those of a policy's rules, with the guard as their category. */
export function recordVerdicts(state: WithPlan & WithFindings, { said, failed }: Judgement, step: GuardedStep): void {
  for (const { guard, rule, decision, location, redacts } of said) {
    const action = decision === 'block' ? decision : redacts > 0 ? 'redact' : 'flag'
    note(state, {
      ...{ rule, step, action, category: guard, isBinding: true },
      ...(location !== undefined && { location }),
      ...(redacts > 0 && { count: redacts }),
    })
  }
  for (const { guard } of failed)
    note(state, { rule: 'guard_failed', step, category: guard, action: 'block', isBinding: true })
}

/**
 * Error for the caller if the judgement blocks; null otherwise. A blocking rule takes precedence over a failed guard.
 */
export function problemFor({ said, failed }: Judgement, what: 'call' | 'answer'): ProblemError | null {
  const blocking = said.filter(({ decision }) => decision === 'block')
  if (blocking.length > 0) return blocked(blocking, what)
  const [first] = failed
  return first === undefined ? null : errors.guardFailed({ name: first.guard, what }).causedBy(first.failure)
}

function blocked(blocking: readonly Said[], what: 'call' | 'answer'): ProblemError {
  const names = [...new Set(blocking.map(({ rule }) => rule))]
  const where = blocking.map(({ reason, location = '' }) => ({ detail: reason, pointer: location }))
  const problem = what === 'call' ? errors.contentPolicy({ names }) : errors.outputBlocked({ names })
  return problem.at(where.slice(0, 20))
}
