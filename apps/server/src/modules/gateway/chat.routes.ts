import Type from 'typebox'
import { authErrors } from '../../kernel/http/errors.ts'
import { strictObject } from '../../kernel/http/schema.ts'
import { routesOf } from '../../kernel/route.ts'
import { ChatCompletion, ChatRequest } from './call/chat-schema.ts'
import { chat } from './chat.ts'
import { errors } from './errors.ts'
import { guardReplay } from './replay-guard.ts'
import type { GatewayServices } from './services.ts'

const route = routesOf<GatewayServices>()

const tenMebibytes = 10 * 1_048_576

export const chatRoutes = [
  route.post('/chat/completions', {
    permission: 'gateway:write',
    summary: 'Ask a model through the pipeline',
    description: 'Checked, redacted, recorded. With `stream: true` the answer comes as server-sent events.',
    query: strictObject({ include: Type.Optional(Type.Literal('timings', { type: 'string' })) }),
    body: ChatRequest,
    returns: [200, ChatCompletion],
    audit: 'gateway.request',
    rateClass: 'inference',
    streams: 'text/event-stream',
    bodyLimit: tenMebibytes,
    anyText: true,
    ownTransactions: true,
    errors: [
      authErrors.forbidden,
      errors.unknownTarget,
      errors.policyNotUsable,
      errors.promptInjection,
      errors.sensitiveData,
      errors.contentPolicy,
      errors.outputBlocked,
      errors.modelNotAllowed,
      errors.limitExceeded,
      errors.killSwitch,
      errors.upstreamFailed,
      errors.upstreamTimeout,
      errors.upstreamInvalid,
      errors.streamBroken,
      errors.credentialRejected,
      errors.upstreamRateLimited,
      errors.upstreamRefused,
      errors.noHealthyTarget,
      errors.stepFailed,
      errors.auditUnavailable,
      errors.capability,
      errors.tooLargeToInspect,
    ],
    guard: ({ actor, body, services }, given) => guardReplay(services, { actor, request: body, given }),
    handler: ({ actor, body, query, request, services }) =>
      chat(services, { actor, info: request, request: body, wantsTimings: query.include === 'timings' }),
  }),
]
