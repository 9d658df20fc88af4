import Type from 'typebox'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { includedIn, includeOf } from '../../../kernel/schema/include.ts'
import { Deleted, listed, strictObject } from '../../../kernel/schema/types.ts'
import { changeConversation } from '../conversations/change-conversation.ts'
import { listConversations, removeConversation, seeConversation } from '../conversations/conversations.ts'
import {
  Conversation,
  ConversationFilter,
  ConversationWithMessages,
  ListedConversation,
  PatchConversation,
} from '../declared/conversation-schema.ts'
import { conversations } from '../declared/conversation-tables.ts'
import { errors } from '../errors/errors.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'

const route = routesOf<SvcAiServices>()
const defaultMessages = 50

export const conversationRoutes = [
  route.get('/conversations', {
    permission: 'svc-ai:read',
    summary: 'List your conversations',
    description: 'With `svc-ai:admin` those of `user_id`, whose messages stay closed. `q` is the beginning of a title.',
    query: ConversationFilter,
    returns: [200, listed(ListedConversation)],
    list: { table: conversations, default: '-created_at' },
    errors: [authErrors.forbidden],
    handler: ({ tx, page, query, actor }) => listConversations(tx, { page, filter: query, actor }),
  }),
  route.get('/conversations/{conversation_id}', {
    permission: 'svc-ai:read',
    summary: 'See a conversation of yours',
    description:
      '`include=messages` adds the messages, oldest first, after `message_cursor`; `include=messages,trace` their traces too. A citation whose source is gone or closed to you keeps its title alone.',
    query: strictObject({
      include: Type.Optional(includeOf('messages', 'trace')),
      message_cursor: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      message_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    returns: [200, ConversationWithMessages],
    ownTransactions: true,
    errors: [apiErrors.notFound],
    handler: (context) => {
      const { kernel, actor, params, query } = context
      const { include, message_cursor: after = 0, message_limit: limit = defaultMessages } = query
      return seeConversation(kernel, {
        ...{ scope: scopeOf(context), actor, id: params.conversation_id, after, limit },
        include: includedIn(include),
      })
    },
  }),
  route.patch('/conversations/{conversation_id}', {
    permission: 'svc-ai:write',
    summary: 'Change a conversation of yours',
    description: 'Title, `status`, sources, retention, and context: strategy, window, `pin` and `unpin` of facts.',
    body: PatchConversation,
    returns: [200, Conversation],
    audit: 'svc_ai.conversation.update',
    ownTransactions: true,
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, errors.unknownReference, errors.tooManyPins],
    handler: (context) => {
      const { kernel, actor, params, body, precondition } = context
      return changeConversation(kernel, {
        ...{ scope: scopeOf(context), actor, id: params.conversation_id, input: body, precondition },
      })
    },
  }),
  route.delete('/conversations/{conversation_id}', {
    permission: 'svc-ai:write',
    summary: 'Delete a conversation',
    description: 'With its messages and pinned facts, at once. Of others with `svc-ai:admin`.',
    returns: [200, Deleted],
    audit: 'svc_ai.conversation.delete',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, apiErrors.onHold],
    handler: ({ tx, actor, params, precondition }) =>
      removeConversation(tx, { actor, id: params.conversation_id, precondition }),
  }),
]
