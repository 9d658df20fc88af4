import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../declared/errors.ts'
import { guardReplay } from '../endpoints/replay-guard.ts'
import { requestIdParam } from '../request-log/request-id.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { replayCall } from './replay.ts'
import { NewReplay, Replay } from './schema.ts'

const route = routesOf<GatewayServices>()

export const replayRoutes = [
  route.post('/requests/{request_id}/replay', {
    permission: 'gateway:admin',
    summary: 'Run a logged call again and compare',
    description:
      'Runs the kept content of the call, with its placeholders, as a call of the caller’s own: under the caller’s policies, limits and budgets. A call whose replay is blocked or fails is compared like any other. Content that was replaced the first time is a placeholder now, so a call that was `redacted` replays as `allowed` where nothing else is found in it. With `dry_run` only the checks run.',
    params: requestIdParam,
    body: NewReplay,
    returns: [201, Replay],
    audit: 'gateway.request.replay',
    rateClass: 'inference',
    ownTransactions: true,
    errors: [
      apiErrors.notFound,
      apiErrors.validation,
      errors.unknownTarget,
      errors.policyNotUsable,
      errors.killSwitch,
      errors.auditUnavailable,
      errors.payloadNotRetained,
    ],
    guard: ({ actor, body, services }, { replay }) =>
      guardReplay(services, {
        actor,
        asked: { provider: null, model: body.route ?? body.model ?? replay.model, policy: body.policy_id ?? null },
        given: { provider: replay.provider ?? '', model: replay.model ?? '' },
      }),
    handler: async (context) => {
      const { actor, body, params, request, services } = context
      if (body.policy_version !== undefined && body.policy_id === undefined)
        throw apiErrors
          .validation({ what: 'A version needs its policy.' })
          .at([{ detail: 'Name the policy of this version.', pointer: '/policy_id' }])
      if (body.route !== undefined && body.model !== undefined)
        throw apiErrors
          .validation({ what: 'Name a model or a route.' })
          .at([{ detail: 'A route says which models are asked.', pointer: '/route' }])
      const scope = scopeOf(context)
      const replayed = await replayCall(services, { scope, actor, info: request, id: params.request_id, body })
      return new Answer(replayed, { location: `/api/v1/gateway/requests/${replayed.id ?? replayed.original.id}` })
    },
  }),
]
