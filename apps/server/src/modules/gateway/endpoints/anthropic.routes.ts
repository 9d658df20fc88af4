import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { answerCall } from '../answering/run-call.ts'
import { anthropicErrorForm } from '../dialects/anthropic/form.ts'
import { CountBody, MessageAnswer, MessagesBody } from '../dialects/anthropic/messages-schema.ts'
import { AnthropicModel, AnthropicModels, anthropicModel, anthropicModels } from '../dialects/anthropic/models.ts'
import { askedOfMessages } from '../dialects/anthropic/read.ts'
import { anthropicWriter } from '../dialects/anthropic/writer.ts'
import { modelName } from '../dialects/openai/chat-schema.ts'
import { openAiModels } from '../dialects/openai/models.ts'
import { withRawHeaders } from '../dialects/raw.ts'
import { countAsked } from '../in-process/looks.ts'
import { snapshotWithModels } from '../models/listed-models.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { callErrors } from './call-errors.ts'
import { guardReplay } from './replay-guard.ts'
import { askedOrUnread, recordUnread } from './unread-calls.ts'

const route = routesOf<GatewayServices>()

const form = { operation: 'messages', dialect: 'anthropic' } as const

export const anthropicRoutes = [
  route.post('/anthropic/v1/messages', {
    permission: 'gateway:write',
    summary: 'Ask a model in the form of Anthropic’s Messages API',
    description:
      'For Anthropic’s own clients: body, answer, stream and errors are the vendor’s, what is ours is in headers, such as `X-Gateway-Mode` and `X-Gateway-Request-Changes`. Nothing is kept at a provider: a message thread is refused, and clients that can do without go on with the whole conversation.',
    // Clients set this when they use beta features.
    query: strictObject({ beta: Type.Optional(Type.Boolean()) }),
    body: MessagesBody,
    open: true,
    raw: anthropicErrorForm,
    returns: [200, MessageAnswer],
    audit: 'gateway.request',
    rateClass: 'inference',
    streams: 'text/event-stream',
    bodyLimit: 'model_call',
    anyText: true,
    exactNumbers: true,
    ownTransactions: true,
    errors: callErrors,
    unread: recordUnread(form, anthropicWriter.errorHeaders),
    guard: ({ actor, body, request, services }, given, headers) =>
      guardReplay(services, {
        actor,
        asked: withRawHeaders(askedOfMessages(body, request), request),
        given: { provider: headers['x-gateway-provider'] ?? '', model: headers['x-gateway-model'] ?? given.model },
      }),
    handler: ({ actor, body, request, services }) =>
      answerCall(
        services,
        {
          actor,
          info: request,
          asked: askedOrUnread(form, () => withRawHeaders(askedOfMessages(body, request), request)),
        },
        anthropicWriter,
      ),
  }),
  route.post('/anthropic/v1/messages/count_tokens', {
    permission: 'gateway:write',
    summary: 'Count the tokens of a call in the form of Anthropic’s Messages API',
    description:
      'Counted here and not at a provider: with the tokenizer of the model where it is public, else estimated from the length of what is sent.',
    query: strictObject({ beta: Type.Optional(Type.Boolean()) }),
    body: CountBody,
    open: true,
    raw: anthropicErrorForm,
    returns: [200, strictObject({ input_tokens: Type.Integer({ minimum: 0 }) })],
    audit: 'gateway.count_tokens',
    rateClass: 'inference',
    bodyLimit: 'model_call',
    anyText: true,
    exactNumbers: true,
    ownTransactions: true,
    errors: callErrors,
    handler: async ({ actor, body, request, services }) => {
      const asked = withRawHeaders(askedOfMessages({ max_tokens: 1, ...body }, request), request)
      const [first] = await countAsked(services, { actor, request }, asked)
      return { input_tokens: first?.tokens ?? 0 }
    },
  }),
  route.get('/anthropic/v1/models', {
    permission: 'gateway:write',
    summary: 'Models and routes the caller may use, in Anthropic’s form',
    query: strictObject({
      beta: Type.Optional(Type.Boolean()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      after_id: Type.Optional(Type.String({ maxLength: 256 })),
      before_id: Type.Optional(Type.String({ maxLength: 256 })),
    }),
    raw: anthropicErrorForm,
    returns: [200, AnthropicModels],
    handler: async (context) => {
      const { actor, query, services, tx } = context
      const snapshot = await snapshotWithModels(services, scopeOf(context))
      return anthropicModels(await openAiModels(tx, actor, snapshot), query)
    },
  }),
  route.get('/anthropic/v1/models/{model}', {
    permission: 'gateway:write',
    summary: 'One model or route the caller may use, in Anthropic’s form',
    params: { model: modelName },
    query: strictObject({ beta: Type.Optional(Type.Boolean()) }),
    raw: anthropicErrorForm,
    returns: [200, AnthropicModel],
    errors: [apiErrors.notFound],
    handler: async (context) => {
      const { actor, params, services, tx } = context
      const snapshot = await snapshotWithModels(services, scopeOf(context))
      return anthropicModel(await openAiModels(tx, actor, snapshot), params.model)
    },
  }),
]
