import Type from 'typebox'
import { routesOf } from '../../../kernel/module/route.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { anthropicErrorForm } from '../dialects/anthropic/form.ts'
import { MessageAnswer, MessagesBody } from '../dialects/anthropic/messages-schema.ts'
import { askedOfMessages } from '../dialects/anthropic/read.ts'
import { anthropicWriter } from '../dialects/anthropic/writer.ts'
import { withRawHeaders } from '../dialects/raw.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { callErrors } from './call-errors.ts'
import { guardReplay } from './replay-guard.ts'
import { answerCall } from './run-call.ts'
import { askedOrUnread, recordUnread } from './unread-calls.ts'

const route = routesOf<GatewayServices>()

const form = { operation: 'messages', dialect: 'anthropic' } as const

export const anthropicRoutes = [
  route.post('/anthropic/v1/messages', {
    permission: 'gateway:write',
    summary: 'Ask a model in the form of Anthropic’s Messages API',
    description:
      'For Anthropic’s own clients: body, answer, stream and errors are the vendor’s, what is ours is in headers, such as `X-Gateway-Mode`. Nothing is kept at a provider: a message thread is refused, and clients that can do without go on with the whole conversation.',
    // Clients say so when they use features that are not for everybody yet.
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
]
