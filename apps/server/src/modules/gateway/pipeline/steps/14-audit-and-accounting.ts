import { errors } from '../../errors.ts'
import { countAfter } from '../../money/limits.ts'
import type { CallState } from '../call-state.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, block, type Step } from '../step.ts'

/** Stores the outcome before the last byte leaves, then lets the answer be used again. Runs for every call. */
export function auditAndAccounting(parts: PipelineParts): Step {
  return {
    n: 14,
    name: 'audit_and_accounting',
    budgetMs: 5,
    onFailure: 'closed',
    run: async (state) => {
      const { status } = state
      try {
        if (status !== 'in_progress') await Promise.all([state.intent, parts.recorder.outcome(state, status)])
      } catch (error) {
        parts.kernel.log.error({ err: error, call: state.facts.id }, 'the outcome of a call could not be stored')
        return block(errors.auditUnavailable().causedBy(error))
      }
      countAfter(parts, state)
      keepAnswer(parts, state)
      return allow
    },
  }
}

function keepAnswer({ cache, kernel }: PipelineParts, state: CallState): void {
  const { cacheKey: key, served, inspected, policy, facts } = state
  if (key === null || served === null || state.status !== 'completed' || !mayBeKept(state)) return
  const answer = {
    provider: served.provider.name,
    model: served.model,
    storedAtMs: kernel.clock.now(),
    events: [...inspected],
  }
  cache.settle(facts.tenantId, key, { answer, ttlMs: policy.effective.cache.ttl_seconds * 1000 })
}

function mayBeKept({ inspected, violations, failOpen }: CallState): boolean {
  const ends = inspected.filter((event) => event.type === 'finish')
  const whole = ends.length > 0 && ends.every(({ reason }) => reason === 'stop' || reason === 'tool_calls')
  return whole && failOpen.length === 0 && !violations.some(({ step }) => step === 'output_inspection')
}
