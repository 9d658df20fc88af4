/**
 * One turn of a conversation, and a single question: asked, answered and stored. Promises that question and answer are
 * stored together and sealed, that a refused call stores nothing, and that one its caller broke off is on record as
 * cancelled. Tested in chat.test.ts.
 */
import type { TenantScope } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import { add, hold, newRow, write } from '../../../kernel/resource/resource.ts'
import type { Asker, ChatCompletion } from '../../gateway/api.ts'
import type { Answered } from '../answers/answer.ts'
import { traceOf } from '../answers/answer.ts'
import type { ConversationRow, Message, MessageContent, MessageRow } from '../declared/conversation-schema.ts'
import { messages } from '../declared/conversation-tables.ts'
import { errors } from '../errors/errors.ts'
import { answerCompleted } from '../events/events.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { expiryOf } from './change-conversation.ts'
import { messageView } from './conversations.ts'
import { conversationResource } from './resource.ts'
import { sealMessage } from './sealed.ts'

export const mostMessages = 500

/** A conversation that begins with its first turn. */
export interface Beginning {
  readonly kind: ConversationRow['kind']
  readonly title: string
  readonly sourceIds: readonly string[]
  readonly retentionDays: number
  readonly windowTokens: number
}

export interface Turn {
  readonly scope: TenantScope
  readonly asker: Asker
  readonly question: string
  /** Null where its caller broke the call off. */
  readonly answered: Answered | null
  /** An id of one that goes on. */
  readonly conversation: string | Beginning
  readonly latencyMs: number
  /** Name of the audit entry. */
  readonly action: string
}

export interface StoredTurn {
  readonly conversationId: string
  readonly message: Message
}

/** @throws API-013 where the conversation is gone meanwhile, SVC-009 */
export async function storeTurn(services: SvcAiServices, turn: Turn): Promise<StoredTurn> {
  const { kernel } = services
  const { scope, asker, answered } = turn
  const { tenantId } = scope
  const [questionId, answerId] = [kernel.random.uuid(), kernel.random.uuid()]
  const content = contentOf(answered)
  const asked = { content: turn.question, citations: [], groundedness: null, usage: null, security: null, trace: null }
  const sealed = {
    question: await sealMessage(kernel, tenantId, questionId, asked),
    answer: await sealMessage(kernel, tenantId, answerId, content),
  }
  return kernel.db.tenant(scope, async (tx) => {
    const row = await conversationOf(services, tx, turn)
    const place = { tenant_id: tenantId, conversation_id: row.id, user_id: asker.actor.userId }
    const rows: [MessageRow, MessageRow] = [
      {
        ...{ id: questionId, created_at: kernel.clock.iso(), ...place, position: row.message_count - 1, role: 'user' },
        ...{ gateway_request_id: null, answer_status: null, groundedness: null, sealed: sealed.question },
      },
      {
        ...{ id: answerId, created_at: kernel.clock.iso(), ...place, position: row.message_count, role: 'assistant' },
        ...{ gateway_request_id: answered?.completion?.id ?? null, answer_status: answered?.status ?? 'cancelled' },
        ...{ groundedness: answered?.groundedness?.score ?? null, sealed: sealed.answer },
      },
    ]
    await insertMany(tx, messages, rows)
    await tell(tx, turn, { conversationId: row.id, messageId: answerId })
    const open = new Set(content.citations.map((citation) => citation.source_id))
    return { conversationId: row.id, message: messageView({ row: rows[1], content }, { open, trace: true }) }
  })
}

type Tx = Parameters<Parameters<SvcAiServices['kernel']['db']['tenant']>[1]>[0]

/** Locked, with both messages counted already. */
async function conversationOf({ kernel }: SvcAiServices, tx: Tx, turn: Turn): Promise<ConversationRow> {
  const { conversation, asker } = turn
  if (typeof conversation === 'string') {
    const held = await hold(tx, conversationResource, { id: conversation, precondition: anyVersion })
    const { message_count: count, retention_days: days } = held.row
    refuseClosed(held.row)
    return write(kernel, tx, held, { message_count: count + 2, expires_at: expiryOf(kernel.clock.now(), days) })
  }
  const { kind, title, sourceIds, retentionDays, windowTokens } = conversation
  const row: ConversationRow = {
    ...{ ...newRow(kernel, tx), user_id: asker.actor.userId, kind, title, status: 'active', message_count: 2 },
    ...{ source_ids: [...sourceIds], strategy: 'sliding_window', window_tokens: windowTokens },
    ...{ retention_days: retentionDays, expires_at: expiryOf(kernel.clock.now(), retentionDays) },
  }
  await add(tx, conversationResource, row)
  return row
}

/** @throws SVC-009 */
export function refuseClosed({ status, message_count: count }: ConversationRow): void {
  if (status === 'archived')
    throw errors.conversationClosed({ what: 'The conversation is archived. Set its `status` to `active` first.' })
  if (count + 2 > mostMessages)
    throw errors.conversationClosed({
      what: `A conversation holds ${mostMessages} messages at most. Begin another one.`,
    })
}

function contentOf(answered: Answered | null): MessageContent {
  if (answered === null) {
    const trace = traceOf({ retrieved: null, retrieveMs: 0 }, {})
    return { content: '', citations: [], groundedness: null, usage: null, security: null, trace }
  }
  const { content, citations, groundedness, completion, trace } = answered
  return { content, citations, groundedness, trace, ...factsOf(completion) }
}

/** Usage and findings of a call, as far as they are shown. */
export function factsOf(completion: ChatCompletion | null): Pick<MessageContent, 'usage' | 'security'> {
  if (completion === null) return { usage: null, security: null }
  const { prompt_tokens, completion_tokens, total_tokens } = completion.usage
  const { injection_score, pii_detected, policy_violations: violations } = completion.security
  return {
    usage: { prompt_tokens, completion_tokens, total_tokens },
    security: { injection_score, pii_detected, policy_violations: violations.length },
  }
}

interface Told {
  readonly conversationId: string | null
  readonly messageId: string | null
}

/** The event and the audit entry of an answer. */
export async function tell(
  tx: Tx,
  turn: Omit<Turn, 'conversation'>,
  { conversationId, messageId }: Told,
): Promise<void> {
  const { answered, latencyMs, action, asker } = turn
  const requestId = answered?.completion?.id ?? null
  const status = answered?.status ?? 'cancelled'
  const citations = answered?.citations.length ?? 0
  await tx.emit(answerCompleted, messageId ?? asker.request.id, {
    ...{ conversation_id: conversationId, message_id: messageId, gateway_request_id: requestId, answer_status: status },
    ...{ groundedness: answered?.groundedness?.score ?? null, citations, latency_ms: Math.round(latencyMs) },
    withheld: answered?.trace.withheld.provider_clearance ?? 0,
    quarantined: answered?.trace.quarantined.length ?? 0,
  })
  await tx.audit(action, {
    target: `svc_ai_conversation:${conversationId ?? asker.request.id}`,
    after: { answer_status: status, citations, gateway_request_id: requestId },
  })
}
