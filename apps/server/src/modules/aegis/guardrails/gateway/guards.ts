/**
 * Guardrails of the kinds `input` and `output` on model calls of the gateway. Promises that a call of a tenant without
 * such guardrails costs a look into memory, and that a tenant whose guardrails cannot be read gets no call through. Tested
 * in gateway.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import {
  type GuardedCall,
  type GuardText,
  type InputGuard,
  type InputText,
  inputGuard,
  type OutputGuard,
  outputGuard,
  type Verdict,
} from '../../../gateway/ports/call-guards.ts'
import type { AgentRow } from '../../agents/schema.ts'
import type { EvaluationContext, GuardedAgent, GuardedText } from '../engine/context.ts'
import type { Evaluation } from '../engine/evaluate.ts'
import type { Guardrails } from '../live/guardrails.ts'

export interface GuardParts {
  readonly kernel: Pick<Kernel, 'clock' | 'db'>
  readonly guardrails: Guardrails
}

/** Detectors may look at many texts. */
const limitMs = 5_000

export function guardrailInput(parts: GuardParts): InputGuard {
  return inputGuard({
    ...{ name: 'aegis.guardrails', needs: ['texts', 'metadata'], limitMs },
    judges: ({ tenantId }) => parts.guardrails.has(tenantId, 'input'),
    judge: async (call, part) => {
      const texts = part('texts').map(guardedText)
      return verdictsOf(await judged(parts, call, { stage: 'input', texts, session: sessionOf(part('metadata')) }))
    },
  })
}

/** The session of a call is known from its metadata alone, so that of an answer is the call's own caller. */
export function guardrailOutput(parts: GuardParts): OutputGuard {
  return outputGuard({
    ...{ name: 'aegis.guardrails', needs: ['texts'], limitMs },
    judges: ({ tenantId }) => parts.guardrails.has(tenantId, 'output'),
    judge: async (call, part) =>
      verdictsOf(await judged(parts, call, { stage: 'output', texts: part('texts').map(answerText), session: null })),
  })
}

const channels: Readonly<Record<InputText['provenance'], NonNullable<GuardedText['channel']>>> = {
  ...{ user: 'user', system: 'system', assistant: 'model_output' },
  ...{ tool_result: 'tool_result', tool_description: 'tool_description' },
}

const guardedText = ({ location, text, provenance }: InputText): GuardedText => ({
  location,
  text,
  channel: channels[provenance],
})

const answerText = ({ location, text }: GuardText): GuardedText => ({ location, text, channel: 'model_output' })

/** Members of the metadata that name the session, the first that is there. */
function sessionOf(metadata: Readonly<Record<string, string>>): string | null {
  return metadata.session_id ?? metadata.conversation_id ?? null
}

interface Piece {
  readonly stage: 'input' | 'output'
  readonly texts: readonly GuardedText[]
  readonly session: string | null
}

async function judged(parts: GuardParts, call: GuardedCall, { stage, texts, session }: Piece): Promise<Evaluation> {
  const atMs = parts.kernel.clock.now()
  const { tenantId, actor, requestId, model, tags, agentId } = call
  const id = session ?? actor.sessionId
  const context: EvaluationContext = {
    ...{ tenantId, stage, texts, server: null, tool: null, history: [], atMs },
    agent: agentId === null ? null : await agentOf(parts, tenantId, agentId),
    user: { id: actor.userId, department: null },
    session: id === null ? null : { id, labels: [], calls: 0, denied: 0, startedMs: atMs },
    request: { id: requestId, ip: null, model, tags },
  }
  return parts.guardrails.judge(context)
}

type Described = Pick<AgentRow, 'id' | 'risk_tier' | 'autonomy_level' | 'tags' | 'environment' | 'data_classes'>

/** Null for a service account that is no registered agent. */
async function agentOf({ kernel }: GuardParts, tenantId: TenantId, id: string): Promise<GuardedAgent | null> {
  const [row] = await kernel.db.read(
    tenantId,
    sql<Described>`
      select id, risk_tier, autonomy_level, tags, environment, data_classes from aegis_agent where id = ${id}`,
  )
  if (row === undefined) return null
  const { risk_tier: tier, autonomy_level: autonomy, tags, environment: env, data_classes: dataClasses } = row
  return { id, tier, autonomy, tags, env, dataClasses }
}

const stopping: ReadonlySet<string> = new Set(['deny', 'quarantine_agent', 'kill_session'])

/** Each enforced hit that stops the call blocks it; all others are flags, with the spans of those that redact. */
export function verdictsOf({ hits, redactions }: Evaluation): readonly Verdict[] {
  return hits.flatMap(({ name, action, enforced, reason }): readonly Verdict[] => {
    if (action === 'allow') return []
    const isBlock = enforced && stopping.has(action)
    const own = enforced && action === 'redact' ? redactions.filter(({ rule }) => rule === name) : []
    return [
      {
        ...{ decision: isBlock ? 'block' : 'flag', rule: name, reason },
        ...(own.length === 0 ? {} : { redactions: own.map(({ location, start, end }) => ({ location, start, end })) }),
      },
    ]
  })
}
