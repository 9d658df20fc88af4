import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { requestIdParam } from '../request-log/request-id.ts'
import { Feedback, NewFeedback } from '../schemas/feedback.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { giveFeedback } from './feedback.ts'

const route = routesOf<GatewayServices>()

export const feedbackRoutes = [
  route.post('/requests/{request_id}/feedback', {
    permission: 'gateway:write',
    summary: 'Rate an answer or judge a detection',
    description:
      'On one’s own calls; with `gateway:admin` on all. An `answer` takes a `rating`, a `detection` a `verdict` and the rule it is about.',
    params: requestIdParam,
    body: NewFeedback,
    returns: [201, Feedback],
    audit: 'gateway.request.feedback',
    errors: [apiErrors.notFound, authErrors.forbidden],
    handler: ({ kernel, tx, actor, params, body }) => giveFeedback(kernel, tx, { actor, id: params.request_id, body }),
  }),
]
