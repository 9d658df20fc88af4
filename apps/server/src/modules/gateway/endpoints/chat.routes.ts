import Type from 'typebox'
import { routesOf } from '../../../kernel/module/route.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { answerCall } from '../answering/run-call.ts'
import { withHeaders } from '../call/asked-headers.ts'
import { askedOfChat } from '../dialects/parapet/read.ts'
import { parapetWriter } from '../dialects/parapet/writer.ts'
import { ChatCompletion, ChatRequest } from '../schemas/chat-schema.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { callErrors } from './call-errors.ts'
import { guardReplay } from './replay-guard.ts'
import { askedOrUnread, recordUnread } from './unread-calls.ts'

const route = routesOf<GatewayServices>()

const form = { operation: 'chat', dialect: 'parapet' } as const

export const chatRoutes = [
  route.post('/chat/completions', {
    permission: 'gateway:write',
    summary: 'Ask a model through the pipeline',
    description:
      'Checked, redacted, recorded. With `stream: true` the answer comes as server-sent events. `X-Gateway-Mode` says, on refusals too, whether its policies enforce, only watch or are off.',
    query: strictObject({ include: Type.Optional(Type.Literal('timings', { type: 'string' })) }),
    body: ChatRequest,
    returns: [200, ChatCompletion],
    audit: 'gateway.request',
    rateClass: 'inference',
    streams: 'text/event-stream',
    bodyLimit: 'model_call',
    anyText: true,
    exactNumbers: true,
    ownTransactions: true,
    errors: callErrors,
    unread: recordUnread(form, parapetWriter({ timings: false }).errorHeaders),
    guard: ({ actor, body, services }, given) => guardReplay(services, { actor, asked: askedOfChat(body), given }),
    handler: ({ actor, body, query, request, services }) =>
      answerCall(
        services,
        { actor, info: request, asked: askedOrUnread(form, () => withHeaders(askedOfChat(body), request)) },
        parapetWriter({ timings: query.include === 'timings' }),
      ),
  }),
]
