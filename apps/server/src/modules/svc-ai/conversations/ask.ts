/** Chat and single questions, from the body of a request to the stored answer. Tested in chat.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { type Answered, answerQuestion, traceOf } from '../answers/answer.ts'
import type { Passage } from '../answers/passage.ts'
import { retrieve } from '../answers/retrieve.ts'
import type { ConversationRow } from '../declared/conversation-schema.ts'
import { conversations } from '../declared/conversation-tables.ts'
import { minGroundedness } from '../declared/settings.ts'
import { errors } from '../errors/errors.ts'
import { promptText } from '../prompts/prompts.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import type { ChatAnswer, ChatBody, PassageView, RagAnswer, RagBody } from './ask-schema.ts'
import { refuseUnknownSources } from './change-conversation.ts'
import { readMessages, readPins } from './sealed.ts'
import { type Beginning, factsOf, mostMessages, refuseClosed, storeTurn, tell } from './turns.ts'

export interface Asked<Body> {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly request: RequestInfo
  readonly body: Body
}

export interface Outcome<T> {
  readonly whole: T
  readonly answered: Answered
}

const defaultPassages = 8
const defaultWindow = 16_000
const defaultDays = 90
const beginning = { retentionDays: defaultDays, windowTokens: defaultWindow } as const

/** @throws SVC-001, SVC-003, SVC-005, SVC-006, SVC-009, SVC-018, and as a call of the gateway */
export async function chat(services: SvcAiServices, asked: Asked<ChatBody>): Promise<Outcome<ChatAnswer>> {
  const { kernel } = services
  const { scope, actor, request, body } = asked
  const begun = kernel.clock.monotonic()
  const known = body.conversation_id === undefined ? null : await openConversation(services, asked)
  const sourceIds = body.source_ids ?? known?.row.source_ids ?? []
  // Also where nothing is retrieved: a new conversation keeps them.
  await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => refuseUnknownSources(tx, actor, body.source_ids ?? []))
  const { enabled = true, top_k: top = defaultPassages, rm3 = 'auto', mode } = body.retrieval ?? {}
  const asker = { actor, request }
  const question = { scope, asker, text: body.message, mode, sourceIds, options: { top, rm3 } }
  const turn = {
    ...{ scope, asker, question: body.message, action: 'svc_ai.conversation.chat' },
    conversation: known?.row.id ?? ({ ...beginning, kind: 'chat', title: 'New conversation', sourceIds } as const),
  }
  const answering = answerQuestion(services, {
    ...{ asker, question: enabled ? question : null, least: leastOf(services, asked) },
    conversation: {
      ...{ question: body.message, history: known?.history ?? [], pinned: known?.pinned ?? [] },
      ...{ strategy: known?.row.strategy ?? 'sliding_window', windowTokens: known?.row.window_tokens ?? defaultWindow },
      instructions: body.prompt === undefined ? null : await promptText(kernel, scope, body.prompt),
    },
  })
  const latency = (): number => kernel.clock.monotonic() - begun
  const answered = await answering.catch(async (error: unknown) => {
    // A call that nobody waits for any more has ended at the provider; the turn says so.
    if (request.signal.aborted) await storeTurn(services, { ...turn, answered: null, latencyMs: latency() })
    throw error
  })
  const { conversationId, message } = await storeTurn(services, { ...turn, answered, latencyMs: latency() })
  return { answered, whole: { conversation_id: conversationId, message } }
}

const leastOf = ({ kernel }: SvcAiServices, { actor, body }: Asked<{ readonly min_groundedness?: number }>): number =>
  body.min_groundedness ?? kernel.settings.get(minGroundedness, actor.tenantId)

/** @throws SVC-001 for one that is not the caller's own, SVC-009 */
async function openConversation({ kernel }: SvcAiServices, { scope, actor, body }: Asked<ChatBody>) {
  const [row] = await kernel.db.read(
    scope.tenantId,
    sql<ConversationRow>`
      select ${conversations.columns} from svc_ai_conversation
      where id = ${body.conversation_id} and user_id = ${actor.userId}`,
  )
  if (row === undefined)
    throw errors
      .unknownReference({ what: 'The conversation does not exist, or is not yours.' })
      .at([{ detail: 'names no conversation', pointer: '/conversation_id' }])
  refuseClosed(row)
  const page = { conversationId: row.id, after: 0, limit: mostMessages }
  const opened = await readMessages(kernel, scope.tenantId, page)
  const pins = await readPins(kernel, scope.tenantId, row.id)
  return {
    row,
    history: opened
      .filter(({ content }) => content.content !== '')
      .map((message) => ({ role: message.row.role, content: message.content.content })),
    pinned: pins.map(({ text }) => text),
  }
}

/** @throws SVC-001, SVC-002, SVC-003, SVC-005, SVC-006, and as a call of the gateway */
export async function askOnce(services: SvcAiServices, asked: Asked<RagBody>): Promise<Outcome<RagAnswer>> {
  const { kernel } = services
  const { scope, actor, request, body } = asked
  const begun = kernel.clock.monotonic()
  const { top_k: top = defaultPassages, rm3 = 'auto', source_ids: sourceIds, filters, retrieval_mode: mode } = body
  const asker = { actor, request }
  const question = { scope, asker, text: body.query, mode, sourceIds, filters, options: { top, rm3 } }
  const answered =
    body.mode === 'retrieve_only'
      ? await retrieveOnly(services, question)
      : await answerQuestion(services, {
          ...{ asker, question, least: leastOf(services, asked), needsSources: true },
          conversation: {
            ...{ question: body.query, history: [], pinned: [], instructions: null },
            ...{ strategy: 'sliding_window', windowTokens: defaultWindow },
          },
        })
  const turn = {
    ...{ scope, asker, question: body.query, action: 'svc_ai.rag.query', answered },
    latencyMs: kernel.clock.monotonic() - begun,
  }
  const kept = body.mode !== 'retrieve_only' && body.store !== false
  const title = 'Question'
  const conversation: Beginning = { ...beginning, kind: 'rag', title, sourceIds: sourceIds ?? [] }
  const stored = kept ? await storeTurn(services, { ...turn, conversation }) : null
  if (stored === null) await kernel.db.tenant(scope, (tx) => tell(tx, turn, { conversationId: null, messageId: null }))
  return { answered, whole: ragView(answered, { body, conversationId: stored?.conversationId ?? null }) }
}

/** No model answers, so none has to be bound to the role `chat`. */
async function retrieveOnly(services: SvcAiServices, question: Parameters<typeof retrieve>[1]): Promise<Answered> {
  const begun = services.kernel.clock.monotonic()
  const retrieved = await retrieve(services, question)
  const trace = traceOf({ retrieved, retrieveMs: services.kernel.clock.monotonic() - begun }, {})
  const status = retrieved.passages.length === 0 ? 'not_found' : 'answered'
  return {
    ...{ content: '', status, citations: [], groundedness: null, completion: null },
    ...{ passages: retrieved.passages, trace },
  }
}

interface Viewed {
  readonly body: RagBody
  readonly conversationId: string | null
}

function ragView(answered: Answered, { body, conversationId }: Viewed): RagAnswer {
  const { content, status, citations, groundedness, completion, trace } = answered
  const only = body.mode === 'retrieve_only'
  return {
    ...{ conversation_id: conversationId, passages: answered.passages.map(passageView) },
    ...{ answer: only ? null : content, answer_status: only ? null : status },
    ...{ gateway_request_id: completion?.id ?? null, citations, groundedness, ...factsOf(completion), trace },
  }
}

function passageView({ chunkId, sourceId, documentId, headingPath, ...shown }: Passage): PassageView {
  return {
    ...{ chunk_id: chunkId, source_id: sourceId, document_id: documentId, heading_path: [...headingPath] },
    ...{ title: shown.title, page: shown.page, start: shown.start, end: shown.end, text: shown.text },
    ...{ score: Math.round(shown.score * 1e4) / 1e4, ranks: { ...shown.ranks }, classification: shown.classification },
  }
}
