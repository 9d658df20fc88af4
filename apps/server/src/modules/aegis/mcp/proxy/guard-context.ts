/** A call as guardrails are asked about it, with the history of its conversation. */

import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { escapePointer } from '../../../../kernel/schema/json-pointer.ts'
import type { EvaluationContext, GuardedText, Step } from '../../guardrails/engine/context.ts'
import type { ToolCall } from '../call/guards.ts'
import { type Members, objectOf } from '../wire/json-rpc.ts'

interface SessionFacts {
  readonly id: string
  readonly killed: boolean
  readonly calls: number
  readonly denied: number
  readonly started: string
  readonly steps: readonly { readonly server: string; readonly tool: string; readonly at: string }[]
}

export interface GuardedCall {
  readonly context: EvaluationContext
  /** The session was ended: nothing of it passes any more. */
  readonly isKilled: boolean
}

const mostSteps = 100

export async function guardedCall(kernel: Pick<Kernel, 'db' | 'clock'>, call: ToolCall): Promise<GuardedCall> {
  const { asked, tool, args, labels } = call
  const { caller, keys } = asked
  const { agent, server, request, tenantId } = caller
  const [session] = await kernel.db.read(tenantId, sessionFacts(agent.id, keys.conversation))
  const { slug, trust, labels: serverLabels } = server.row
  const context: EvaluationContext = {
    ...{ tenantId, stage: 'tool', user: null, args },
    agent: {
      ...{ id: agent.id, tier: agent.risk_tier, autonomy: agent.autonomy_level, tags: agent.tags },
      ...{ env: agent.environment, dataClasses: agent.data_classes },
    },
    server: { slug, trust, labels: serverLabels },
    tool: {
      name: tool.name,
      labels: [...tool.labels],
      annotations: objectOf(tool.definition?.annotations),
      pinned: tool.pin !== null,
    },
    session: {
      ...{
        id: session?.id ?? keys.conversation,
        labels: [...labels],
        calls: session?.calls ?? 0,
        denied: session?.denied ?? 0,
      },
      startedMs: session === undefined ? kernel.clock.now() : Date.parse(session.started),
    },
    history: (session?.steps ?? []).map(({ at, ...step }): Step => ({ ...step, atMs: Date.parse(at) })),
    request: { id: request.id, ip: request.ip, model: null, tags: [] },
    atMs: kernel.clock.now(),
  }
  return { context, isKilled: session?.killed ?? false }
}

/** The session of the conversation, and its last calls by the records, which are stored before their answers leave. */
const sessionFacts = (agentId: string, conversation: string) => sql<SessionFacts>`
  select session.id, session.status = 'killed' as killed, session.calls, session.denied, session.started_at as started,
    coalesce((select jsonb_agg(jsonb_build_object('server', step.server, 'tool', step.tool, 'at', step.created_at) order by step.created_at)
      from (select server, tool, created_at from aegis_mcp_call
        where agent_id = ${agentId} and conversation = ${conversation} and method = 'tools/call' and tool is not null
          and decision in ('allowed', 'redacted')
        order by created_at desc limit ${mostSteps}) step), '[]'::jsonb) as steps
  from aegis_session session
  where session.agent_id = ${agentId} and session.key = ${`c:${conversation}`}
  order by (session.status = 'killed') desc, session.started_at desc limit 1`

const mostTexts = 500

/** Every text of a result with its place; not the bytes of binary content. */
export function guardedTexts(result: Members): GuardedText[] {
  const texts: GuardedText[] = []
  const walk = (value: unknown, location: string): void => {
    if (texts.length >= mostTexts) return
    if (typeof value === 'string') texts.push({ location, text: value, channel: 'tool_result' })
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, `${location}/${index}`)
    else
      for (const [name, member] of Object.entries(objectOf(value)))
        if (name !== 'data' && name !== 'blob') walk(member, `${location}/${escapePointer(name)}`)
  }
  walk(result, '')
  return texts
}
