/**
 * The guardrails of an installation at work. Promises that a decision that takes an agent out of service or ends a session
 * is stored before it is answered, and that a call of a tenant whose guardrails are not known is not let through. Tested
 * in ../gateway/gateway.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Activity } from '../../../../kernel/lifecycle/activity.ts'
import type { AgentParts } from '../../agents/parts.ts'
import { quarantineAgent } from '../../agents/transition.ts'
import { killSession } from '../../sessions/kill.ts'
import type { EvaluationContext } from '../engine/context.ts'
import { type Evaluation, evaluateGuardrails, type RateCounter } from '../engine/evaluate.ts'
import type { LiveSet } from '../engine/live-set.ts'
import { lookAhead } from './look-ahead.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createRegistry, type Registry } from './registry.ts'

export interface Guardrails {
  /**
   * The combined decision of all guardrails of the tenant that are about the call. Counts, events, quarantine and the end
   * of a session are done here.
   * @throws where the guardrails of the tenant cannot be read: refuse the call then
   */
  judge(context: EvaluationContext): Promise<Evaluation>
  /** Whether the tenant has guardrails of the stage; true while that is not known. */
  has(tenantId: string, stage: keyof LiveSet): boolean
  readonly registry: Registry
  readonly recorder: Recorder
  readonly activity: Activity
}

export function createGuardrails(kernel: Kernel, agents: AgentParts): Guardrails {
  const registry = createRegistry(kernel)
  const recorder = createRecorder(kernel)
  const rates: RateCounter = ({ key, check, cost }) => {
    const taken = kernel.limits.take(key, { limit: check.limit, windowMs: check.window_seconds * 1_000 }, cost)
    return taken instanceof Promise ? taken.then(({ allowed }) => !allowed) : !taken.allowed
  }
  return {
    ...{ registry, recorder, has: registry.has },
    judge: async (context) => {
      const set = await registry.set(context.tenantId)
      const found = await lookAhead(kernel, set, context)
      const evaluation = await evaluateGuardrails(set, context, {
        ...{ rates, monotonic: kernel.clock.monotonic, ...(found !== undefined && { found }) },
        observe: (asked) => recorder.observe(context.tenantId, asked),
      })
      if (evaluation.hits.length > 0) recorder.note(context, evaluation.hits)
      if (evaluation.quarantinesAgent || evaluation.killsSession)
        await takeEffect(kernel, agents, { context, evaluation })
      return evaluation
    },
    activity: {
      name: 'guardrails',
      start: async () => {
        await registry.load()
        await recorder.start()
      },
      stop: recorder.stop,
    },
  }
}

interface Judged {
  readonly context: EvaluationContext
  readonly evaluation: Evaluation
}

async function takeEffect(
  kernel: Kernel,
  agents: AgentParts,
  { context: { tenantId, agent, session }, evaluation }: Judged,
): Promise<void> {
  const nameOf = (action: 'quarantine_agent' | 'kill_session'): string =>
    `guardrail ${evaluation.hits.find((hit) => hit.enforced && hit.action === action)?.name ?? ''}`
  await kernel.db.tenant({ tenantId: tenantId as TenantId }, async (tx) => {
    if (evaluation.killsSession && session !== null)
      await killSession(kernel, tx, { id: session.id, reason: nameOf('kill_session') })
    if (evaluation.quarantinesAgent && agent !== null)
      await quarantineAgent(agents, tx, { id: agent.id, reason: nameOf('quarantine_agent') })
  })
}
