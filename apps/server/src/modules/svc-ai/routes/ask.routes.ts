import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { gatewayCallErrors } from '../../gateway/api.ts'
import { eventStream, streamOf } from '../answers/frames.ts'
import { askOnce, chat } from '../conversations/ask.ts'
import { ChatAnswer, ChatBody, RagAnswer, RagBody } from '../conversations/ask-schema.ts'
import { errors } from '../errors/errors.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'

const route = routesOf<SvcAiServices>()

const answerErrors = [
  ...[errors.unknownReference, errors.filtersContradict, errors.contextTooLong, errors.chatUnbound, errors.notCleared],
  ...[errors.embeddingUnbound, errors.cannotServe],
  ...gatewayCallErrors,
]

export const askRoutes = [
  route.post('/chat', {
    permission: 'svc-ai:write',
    summary: 'Ask in a conversation',
    description:
      'The model is asked through the gateway, as a call of yours. The answer comes from passages of the sources that you may read, cites them by offsets, and is `not_found` where they do not support it; without any source it is the model’s own. With `stream` it comes as server-sent events, after it was checked whole.',
    body: ChatBody,
    returns: [200, ChatAnswer],
    audit: 'svc_ai.conversation.chat',
    rateClass: 'inference',
    streams: eventStream,
    ownTransactions: true,
    errors: [...answerErrors, apiErrors.notFound, errors.conversationClosed, errors.templateInvalid],
    handler: async (context) => {
      const { services, kernel, actor, request, body } = context
      const outcome = await chat(services, { scope: scopeOf(context), actor, request, body })
      return body.stream === true ? streamOf(kernel, request, outcome) : outcome.whole
    },
  }),
  route.post('/rag/queries', {
    permission: 'svc-ai:read',
    summary: 'Ask one question of the knowledge sources',
    description:
      '`retrieve_only` gives the passages and has no model answer. Otherwise the answer is made, checked and cited as in `/chat`, and kept as a conversation of the kind `rag` unless `store` is false.',
    body: RagBody,
    returns: [200, RagAnswer],
    audit: 'svc_ai.rag.query',
    rateClass: 'inference',
    streams: eventStream,
    ownTransactions: true,
    errors: answerErrors,
    handler: async (context) => {
      const { services, kernel, actor, request, body } = context
      const outcome = await askOnce(services, { scope: scopeOf(context), actor, request, body })
      return body.stream === true ? streamOf(kernel, request, outcome) : outcome.whole
    },
  }),
]
