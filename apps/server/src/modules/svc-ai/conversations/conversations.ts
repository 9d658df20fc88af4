/**
 * Conversations: listed, seen, changed and deleted, each by its own person; administrators of the module see that those of
 * others exist and may delete them, and read none. Tested in chat.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { hold, type Removed, remove } from '../../../kernel/resource/resource.ts'
import type {
  ConversationFilter,
  ConversationRow,
  ConversationWithMessages,
  ListedConversation,
  Message,
} from '../declared/conversation-schema.ts'
import { conversations } from '../declared/conversation-tables.ts'
import { conversationDeleted } from '../events/events.ts'
import { readableBy } from '../sources/acl.ts'
import { conversationResource } from './resource.ts'
import { type OpenedMessage, type Pin, readMessages, readPins } from './sealed.ts'

export interface ConversationList {
  readonly page: PageRequest
  readonly filter: ConversationFilter
  readonly actor: Actor
}

/** @throws AUTH-004 for somebody else's without `svc-ai:admin` */
export async function listConversations(
  tx: Tx,
  { page, filter, actor }: ConversationList,
): Promise<Page<Versioned<ListedConversation>>> {
  const { q, status, kind, source_id: source, created_after: after, user_id: user = actor.userId } = filter
  if (user !== actor.userId && !holds(actor.permissions, 'svc-ai:admin'))
    throw authErrors.forbidden({ permission: 'svc-ai:admin' }).withMembers({ permission: 'svc-ai:admin' })
  const where = [
    sql`user_id = ${user}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(source === undefined ? [] : [sql`${source}::uuid = any(source_ids)`]),
    ...(after === undefined ? [] : [sql`created_at > ${after}`]),
    ...(q === undefined ? [] : [sql`lower(title) like ${likePrefix(q)}`]),
  ]
  const found = await conversations.page(tx, page, join(where, ' and '))
  return { ...found, items: found.items.map((row) => new Versioned(listedView(row), row.version)) }
}

function listedView({ version: _version, strategy, window_tokens, ...shown }: ConversationRow): ListedConversation {
  return { ...shown, context: { strategy, window_tokens } }
}

export function conversationView(row: ConversationRow, pinned: readonly Pin[]) {
  const { context, ...shown } = listedView(row)
  return { ...shown, context: { ...context, pinned: [...pinned] } }
}

/** @throws API-013 for one that is not the caller's own */
export async function ownConversation(
  { db }: Pick<Kernel, 'db'>,
  scope: TenantScope,
  { actor, id }: { readonly actor: Actor; readonly id: string },
): Promise<ConversationRow> {
  const [row] = await db.read(
    scope.tenantId,
    sql<ConversationRow>`
      select ${conversations.columns} from svc_ai_conversation where id = ${id} and user_id = ${actor.userId}`,
  )
  if (row === undefined) throw apiErrors.notFound({ what: conversations.noun })
  return row
}

export interface Seeing {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly id: string
  readonly include: ReadonlySet<string>
  readonly after: number
  readonly limit: number
}

/** @throws API-013 */
export async function seeConversation(kernel: Kernel, seeing: Seeing): Promise<Versioned<ConversationWithMessages>> {
  const { scope, include, after, limit } = seeing
  const row = await ownConversation(kernel, scope, seeing)
  const view = conversationView(row, await readPins(kernel, scope.tenantId, row.id))
  if (!include.has('messages')) return new Versioned(view, row.version)
  const opened = await readMessages(kernel, scope.tenantId, { conversationId: row.id, after, limit: limit + 1 })
  const shown = opened.slice(0, limit)
  const open = await openSources(kernel, seeing, shown)
  const messages = shown.map((message) => messageView(message, { open, trace: include.has('trace') }))
  const next = opened.length > limit ? (shown.at(-1)?.row.position ?? null) : null
  return new Versioned({ ...view, messages, next_message_cursor: next }, row.version)
}

/** The sources of citations that the caller may read now: those of others keep their title and lose their text. */
async function openSources(
  { db }: Kernel,
  { scope, actor }: Seeing,
  opened: readonly OpenedMessage[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(opened.flatMap(({ content }) => content.citations.map((citation) => citation.source_id)))]
  if (ids.length === 0) return new Set()
  const rows = await db.read(
    scope.tenantId,
    sql<{ id: string }>`
      select source.id from svc_ai_source source where source.id = any(${ids}::uuid[]) and ${readableBy(actor)}`,
  )
  return new Set(rows.map(({ id }) => id))
}

interface Shown {
  readonly open: ReadonlySet<string>
  readonly trace: boolean
}

export function messageView({ row, content }: OpenedMessage, { open, trace }: Shown): Message {
  const { id, created_at, role, gateway_request_id, answer_status } = row
  const citations = content.citations.map((citation) =>
    open.has(citation.source_id) ? citation : { ...citation, quote: null },
  )
  return {
    ...{ id, created_at, role, gateway_request_id, answer_status, citations, content: content.content },
    ...{ groundedness: content.groundedness, usage: content.usage, security: content.security },
    trace: trace ? content.trace : null,
  }
}

export interface ConversationRemoval {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
}

/** Its messages and pinned facts go along. @throws API-012, API-013, API-032 */
export async function removeConversation(tx: Tx, { actor, id, precondition }: ConversationRemoval): Promise<Removed> {
  const held = await hold(tx, conversationResource, {
    id,
    precondition,
    allow: ({ user_id: owner }) => {
      if (owner !== actor.userId && !holds(actor.permissions, 'svc-ai:admin'))
        throw apiErrors.notFound({ what: conversations.noun })
    },
  })
  const { kind, user_id, message_count } = held.row
  const removed = await remove(tx, held, {
    action: 'svc_ai.conversation.delete',
    before: { kind, user_id, message_count },
  })
  await tx.emit(conversationDeleted, id, { conversation_id: id, reason: 'request' })
  return removed
}
