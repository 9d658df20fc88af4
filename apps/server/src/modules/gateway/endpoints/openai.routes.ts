/** Routes for OpenAI's own clients: the vendor's bodies, answers, streams and errors; gateway data is in headers. */
import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { answerCall } from '../answering/run-call.ts'
import { errors } from '../declared/errors.ts'
import { before } from '../dialects/openai/before.ts'
import { modelName, OpenAiChat } from '../dialects/openai/chat-schema.ts'
import { openAiChatWriter } from '../dialects/openai/chat-writer.ts'
import { openAiForm } from '../dialects/openai/form.ts'
import { keptResponse } from '../dialects/openai/kept-response.ts'
import { OpenAiModel, OpenAiModels, openAiModels } from '../dialects/openai/models.ts'
import { askedOfOpenAiChat } from '../dialects/openai/read-chat.ts'
import { askedOfResponses } from '../dialects/openai/read-responses.ts'
import { OpenAiResponses } from '../dialects/openai/responses-schema.ts'
import { responsesWriter } from '../dialects/openai/responses-writer.ts'
import { rawHeaders, withRawHeaders } from '../dialects/raw.ts'
import { askedOfEmbeddings } from '../embeddings/read.ts'
import { OpenAiEmbeddings } from '../embeddings/schema.ts'
import { embeddingsWriter } from '../embeddings/writer.ts'
import { snapshotWithModels } from '../models/listed-models.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { callErrors } from './call-errors.ts'
import { guardReplay } from './replay-guard.ts'
import { askedOrUnread, recordUnread } from './unread-calls.ts'

const route = routesOf<GatewayServices>()

/** Members that a client can rely on; the rest is passed through from the provider. */
const body = (object: string, members: Type.TProperties) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>(
    Type.Object({ object: Type.Literal(object), model: Type.String(), ...members }),
  )
const list = Type.Array(Type.Object({}))

const calls = {
  permission: 'gateway:write',
  open: true,
  raw: openAiForm,
  audit: 'gateway.request',
  rateClass: 'inference',
  bodyLimit: 'model_call',
  anyText: true,
  exactNumbers: true,
  ownTransactions: true,
} as const

const chat = { operation: 'chat', dialect: 'openai' } as const
const responses = { operation: 'responses', dialect: 'openai' } as const
const embeddings = { operation: 'embeddings', dialect: 'openai' } as const

/** Provider and model of the stored answer that is sent again. */
function givenIn(headers: Readonly<Record<string, string>>) {
  return { provider: headers['x-gateway-provider'] ?? '', model: headers['x-gateway-model'] ?? '' }
}

export const openAiRoutes = [
  route.post('/openai/v1/chat/completions', {
    ...calls,
    unread: recordUnread(chat, rawHeaders),
    summary: 'Ask a model in the form of OpenAI’s chat completions',
    description:
      'For OpenAI’s own clients; what is ours is in headers, such as `X-Gateway-Mode` and `X-Gateway-Request-Changes`. A provider is never asked to keep the answer, whatever `store` says.',
    body: OpenAiChat,
    returns: [200, body('chat.completion', { id: Type.String(), choices: list })],
    streams: 'text/event-stream',
    errors: callErrors,
    guard: ({ actor, body: asked, request, services }, _given, headers) =>
      guardReplay(services, {
        actor,
        asked: withRawHeaders(askedOfOpenAiChat(asked), request),
        given: givenIn(headers),
      }),
    handler: ({ actor, body: asked, request, services }) =>
      answerCall(
        services,
        { actor, info: request, asked: askedOrUnread(chat, () => withRawHeaders(askedOfOpenAiChat(asked), request)) },
        openAiChatWriter,
      ),
  }),
  route.post('/openai/v1/responses', {
    ...calls,
    unread: recordUnread(responses, rawHeaders),
    summary: 'Ask a model in the form of OpenAI’s responses',
    description:
      'For OpenAI’s own clients. Nothing is kept at a provider, whatever `store` says; `previous_response_id` goes on from the log as far as that response was kept whole.',
    body: OpenAiResponses,
    returns: [200, body('response', { id: Type.String(), output: list })],
    streams: 'text/event-stream',
    errors: [...callErrors, apiErrors.notFound, errors.payloadNotRetained],
    guard: ({ actor, body: asked, request, services }, _given, headers) =>
      guardReplay(services, {
        actor,
        asked: withRawHeaders(askedOfResponses(asked), request),
        given: givenIn(headers),
      }),
    handler: async (context) => {
      const { actor, body: asked, request, services } = context
      const scope = scopeOf(context)
      const previous = await before(services, { scope, actor, previous: asked.previous_response_id })
      return answerCall(
        services,
        {
          actor,
          info: request,
          asked: askedOrUnread(responses, () => withRawHeaders(askedOfResponses(asked, previous), request)),
        },
        responsesWriter(asked),
      )
    },
  }),
  route.post('/openai/v1/embeddings', {
    ...calls,
    unread: recordUnread(embeddings, rawHeaders),
    summary: 'Embed texts in the form of OpenAI’s embeddings',
    body: OpenAiEmbeddings,
    returns: [200, body('list', { data: list })],
    errors: callErrors,
    guard: ({ actor, body: asked, request, services }, _given, headers) =>
      guardReplay(services, {
        actor,
        asked: withRawHeaders(askedOfEmbeddings(asked), request),
        given: givenIn(headers),
      }),
    handler: ({ actor, body: asked, request, services }) =>
      answerCall(
        services,
        {
          actor,
          info: request,
          asked: askedOrUnread(embeddings, () => withRawHeaders(askedOfEmbeddings(asked), request)),
        },
        embeddingsWriter,
      ),
  }),
  route.get('/openai/v1/models', {
    permission: 'gateway:write',
    summary: 'Models and routes the caller may use, in OpenAI’s form',
    raw: openAiForm,
    returns: [200, OpenAiModels],
    handler: async (context) => {
      const snapshot = await snapshotWithModels(context.services, scopeOf(context))
      return openAiModels(context.tx, context.actor, snapshot)
    },
  }),
  route.get('/openai/v1/models/{model}', {
    permission: 'gateway:write',
    summary: 'One model or route the caller may use, in OpenAI’s form',
    params: { model: modelName },
    raw: openAiForm,
    returns: [200, OpenAiModel],
    errors: [apiErrors.notFound],
    handler: async (context) => {
      const { actor, params, services, tx } = context
      const snapshot = await snapshotWithModels(services, scopeOf(context))
      const { data } = await openAiModels(tx, actor, snapshot)
      const found = data.find(({ id }) => id === params.model)
      if (found === undefined) throw apiErrors.notFound({ what: 'model' })
      return found
    },
  }),
  route.get('/openai/v1/responses/{response_id}', {
    permission: 'gateway:write',
    summary: 'A response that was given, in OpenAI’s form',
    description: 'From the log, as far as that response was kept whole. Calls of tools are not kept with their ids.',
    params: { response_id: Type.String({ minLength: 1, maxLength: 64 }) },
    raw: openAiForm,
    returns: [200, body('response', { id: Type.String(), output: list })],
    ownTransactions: true,
    errors: [apiErrors.notFound, errors.payloadNotRetained],
    handler: (context) =>
      keptResponse(context.services, {
        scope: scopeOf(context),
        actor: context.actor,
        id: context.params.response_id,
      }),
  }),
]
